"""The menu of `gamesearch` without arguments: it asks what to do and with which game."""

import shlex
from typing import NamedTuple

import click

from gamesearch.cli.terminal import LineReader
from gamesearch.errors import GamesearchError
from gamesearch.registry import game_names, load

__all__ = ["choose_command"]


class Choice(NamedTuple):
    """A line of the menu: a command, and an example of a game and a position if the command needs them."""

    text: str
    command: str
    game: str = ""
    position: str = ""


CHOICES = (
    Choice("play a game", "play"),
    Choice("analyze a position", "analyze", "tictactoe", "XX./OO./..."),
    Choice("solve a game", "solve", "nim", "3,4,5"),
    Choice("watch a search step by step", "watch", "[[3,12,8],[2,4,6],[14,5,2]]"),
    Choice("list the lessons", "lesson"),
    Choice("measure algorithms", "bench", "tictactoe", "X.O/.../..."),
    Choice("list the games", "games"),
    Choice("list the algorithms", "algorithms"),
    Choice("show all commands", "--help"),
)


def choose_command(lines: LineReader | None = None) -> list[str]:
    """Ask at the terminal what to do, and return the arguments of the command line."""
    lines = lines or LineReader(lambda text: [name for name in game_names() if name.startswith(text)])
    for number, choice in enumerate(CHOICES, 1):
        click.echo(f"{number:>3} {choice.text}")
    chosen = lines.ask("What do you want to do? [1] ", read_choice)
    words = [chosen.command]
    if chosen.game:
        game = lines.ask(f"Game? [{chosen.game}] ", lambda text: read_game(text or chosen.game))
        words.append(game)
        if game == chosen.game and chosen.position:
            words.append(lines.ask(f"Position? [{chosen.position}] ", lambda text: text or chosen.position))
    click.echo(f"$ gamesearch {shlex.join(words)}")
    return words


def read_choice(text: str) -> Choice:
    """Return the choice with the typed number, or the first choice if nothing was typed."""
    number = int(text or "1") if len(text) < 3 and (text or "1").isdecimal() else 0
    if not 1 <= number <= len(CHOICES):
        raise GamesearchError(f"type a number from 1 to {len(CHOICES)}, or `quit`")
    return CHOICES[number - 1]


def read_game(text: str) -> str:
    """Return the specification of a game; raise GamesearchError if the game cannot be loaded."""
    load(text)
    return text
