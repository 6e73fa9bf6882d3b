"""If the user names no game, `gamesearch play` asks at the terminal which game, which sides and which level."""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from gamesearch.cli.consoles import output_console
from gamesearch.cli.terminal import LineReader
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.notation import active_players, player_name
from gamesearch.play.files import saved_game
from gamesearch.play.players.computer import LEVELS, USUAL_LEVEL, WORDS, computer_text, level_of
from gamesearch.play.players.player import HUMAN
from gamesearch.play.sessions.autosave import unfinished_games
from gamesearch.play.sessions.session import CLOCK, OPTIONS, RULES
from gamesearch.registry import game_names, load, summary_of
from gamesearch.render.player_names import short_name
from gamesearch.specification import nearest
from gamesearch.support.escaping import escape_invisible

__all__ = ["PlayOptions", "choose_unfinished_game", "prompt_setup"]

BOTH, NOBODY = "both", "none"  # words that the user may type instead of a side, if people play both sides or no side
NEW, DISCARD = "new", "discard"  # words that the user may type instead of the number of an unfinished game
ABOUT = ("Date", "Event", "FEN", "Result", "Round", "SetUp", "Site", "Termination", "Variant", CLOCK, OPTIONS, RULES)
"""The headers in files of saved games, except the headers that name a player."""
MOST_OFFERED = 5  # the greatest number of unfinished games that are listed


@dataclass
class PlayOptions:
    """The options of the command. Missing options come from a saved game, or from the answers of the user."""

    game: str
    position: str
    max_player: str | None
    min_player: str | None
    players: str | None
    level: str | None
    seconds: float | None
    clock: str | None
    ponder: bool
    seed: int | None
    load: str | None
    save: str | None
    force: bool
    plain: bool
    speed: str
    only_ascii: bool
    as_json: bool
    verbose: bool
    seconds_left: tuple[float, ...] | None = None  # the time left for each player in a continued game

    @property
    def names_players(self) -> bool:
        """Whether an option names a player."""
        return bool(self.max_player or self.min_player or self.players or self.level)

    @property
    def needs_level(self) -> bool:
        """Whether the computer plays a side and no level was given."""
        has_computer = not self.players and self.min_player in (None, HUMAN)
        return has_computer and not (self.min_player and self.max_player) and not self.level


def prompt_setup(options: PlayOptions) -> None:
    """If no game is named, ask for game, sides and level. Raises GamesearchError without a terminal."""
    if options.game:
        return
    lines = LineReader(lambda text: [name for name in game_names() if name.startswith(text)])
    if not lines.is_terminal:
        raise GamesearchError("play needs the name of a game, such as tictactoe; `gamesearch games` lists the names")
    names = game_names()
    list_lines([f"{name:<14} {summary_of(name)}" for name in names])
    click.echo("A game can have parameters: backgammon(match=5)")
    options.game = lines.ask("Which game? ", lambda text: parse_game(text, names))
    rules = load(options.game)
    if options.max_player or options.min_player or options.players:
        if options.needs_level:
            options.level = ask_level(lines)
        return
    sides, level = ask_sides(lines, rules), options.level
    if level is None and len(sides) < len(active_players(rules)):
        level = ask_level(lines)
    computer = HUMAN if level is None else computer_text(level)
    options.players = ",".join(HUMAN if side in sides else computer for side in range(rules.players))
    options.level = None


def choose_unfinished_game() -> str | None:
    """Ask at a terminal which unfinished game to continue, and return its file; None for a new game."""
    lines = LineReader(lambda text: [name for name in (NEW, DISCARD) if name.startswith(text)])
    while lines.is_terminal and (files := list(unfinished_games())):
        click.echo("Unfinished games:")
        list_lines([describe_game(file) for file in files[:MOST_OFFERED]])
        if len(files) > MOST_OFFERED:
            click.echo(f"and {len(files) - MOST_OFFERED} older games in {files[0].parent}")
        del files[MOST_OFFERED:]

        def read(text: str, files: Sequence[Path] = files) -> tuple[str, Path | None]:
            word, _, number = text.casefold().partition(" ")
            if word == NEW and not number:
                return NEW, None
            if word == DISCARD and number.strip().isdecimal():
                return DISCARD, files[parse_number(number.strip(), len(files)) - 1]
            if text and not text.isdecimal():
                raise GamesearchError(
                    f"type a number to continue a game, `{DISCARD}` and a number to delete a game, or `{NEW}`"
                )
            return "", files[parse_number(text or "1", len(files)) - 1]

        command, file = lines.ask(f"Continue which? [1], {NEW}, or {DISCARD} NUMBER: ", read)
        if command != DISCARD:
            return None if file is None else str(file)
        assert file is not None
        file.unlink(missing_ok=True)
    return None


def describe_game(file: Path) -> str:
    """Describe an unfinished game in a line: the time of the last move, the name of the game, and the players."""
    when = datetime.datetime.fromtimestamp(file.stat().st_mtime)
    try:
        game, headers = saved_game(str(file)) or ("", {})
    except GamesearchError:
        game, headers = "unreadable", {}
    players = [f"{side}: {short_name(name)}" for side, name in headers.items() if side not in ABOUT]
    text = f"{when:%Y-%m-%d %H:%M}  {game.partition('(')[0]}  {'; '.join(players)}"
    return escape_invisible(text)


def list_lines(items: Sequence[str]) -> None:
    """Print numbered lines. If one column has too many rows for the terminal, print two columns. Crop long
    lines."""
    console = output_console()
    columns = 1 if len(items) < console.height else 2
    rows = math.ceil(len(items) / columns)
    lines = [Text(f"{number:>3} {item}", no_wrap=True, overflow="ellipsis") for number, item in enumerate(items, 1)]
    table = Table.grid(padding=(0, 1), expand=columns > 1)
    for _ in range(columns):
        table.add_column(no_wrap=True, ratio=1 if columns > 1 else None)
    for row in range(rows):
        table.add_row(*lines[row::rows])
    console.print(table)


def parse_game(text: str, names: Sequence[str]) -> str:
    """Return the game that an answer specifies. The answer is a number in the list, a name, the beginning of a name, or
    a specification."""
    if text.isdecimal():
        return names[parse_number(text, len(names)) - 1]
    begun = [name for name in names if text and name.startswith(text.casefold())]
    game = begun[0] if len(begun) == 1 else text
    if not game:
        raise GamesearchError("type the number or the name of a game, or `quit`")
    load(game)
    return game


def ask_sides(lines: LineReader, game: Game) -> set[int]:
    """Ask which sides people play, and return the numbers of the chosen sides."""
    sides = [player_name(game, player) for player in active_players(game)]
    everyone = [f"{BOTH if len(sides) == 2 else 'all'}: no computer"] if len(sides) > 1 else []
    list_lines([*sides, *everyone, f"{NOBODY}: only the computer plays"])
    return lines.ask(f"Which side is yours? [{sides[0]}] ", lambda text: parse_sides(text, sides))


def parse_sides(text: str, sides: Sequence[str]) -> set[int]:
    """Parse the user's choice of sides. The user types a number from the list, or a name. An empty answer means the
    first side."""
    each_side, all_sides, no_side = [{player} for player in range(len(sides))], set(range(len(sides))), set[int]()
    if not text:
        return each_side[0]
    if text.isdecimal():
        listed = [*each_side, *([all_sides] if len(sides) > 1 else []), no_side]
        return listed[parse_number(text, len(listed)) - 1]
    meanings = {BOTH: all_sides, "all": all_sides, NOBODY: no_side}
    for name, side in zip(sides, each_side, strict=True):
        meanings[name.casefold()] = side
    if text.casefold() not in meanings:
        raise GamesearchError(f"unknown side {text!r}: {nearest(text, meanings)}")
    return meanings[text.casefold()]


def ask_level(lines: LineReader) -> str:
    """Ask for the level of the computer."""
    click.echo(f"How strong is the computer? 1 to {len(LEVELS)}, or {', '.join(WORDS)}")

    def read(text: str) -> str:
        level_of(text or USUAL_LEVEL)
        return text or USUAL_LEVEL

    return lines.ask(f"Level? [{USUAL_LEVEL}] ", read)


def parse_number(text: str, most: int) -> int:
    """Parse the number of a line in a list: a number from 1 to `most`."""
    number = int(text) if len(text) < 9 else 0
    if not 1 <= number <= most:
        raise GamesearchError(f"the list has the numbers 1 to {most}, not {text[:20]}")
    return number
