"""Words for players: their names in sentences, and whose turn it is."""

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.notation import player_name
from gamesearch.play.players.player import COMPUTER
from gamesearch.render.boards.board import BoardView
from gamesearch.specification import parse_specification
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.pictures import picture

__all__ = ["board_and_turn", "player_text", "position_parts", "short_name"]


def player_text(game: Game, player: int) -> str:
    """A player's name in the game and, for Max and Min, the name in textbooks: `X (Max)`."""
    name = player_name(game, player)
    role = ("Max", "Min")[player] if game.players == 2 and game.zero_sum and player != CHANCE else name
    return name if name == role else f"{name} ({role})"


def short_name(specification: str) -> str:
    """A short name of a player: the level of the computer, the program of an engine, or the name of an algorithm.

    >>> short_name("computer(level=5)"), short_name("computer(level=easy, seed=3)"), short_name("human")
    ('computer, level 5', 'computer, easy', 'human')
    >>> short_name("alphabeta(depth=8, order=game)"), short_name('gtp(path="/usr/games/gnugo --mode gtp")')
    ('alphabeta', 'gnugo')
    >>> short_name("seeing(game=othello(weights=learned), algorithm=pvs(table=true))")
    'pvs'
    """
    try:
        parsed = parse_specification(specification)
        level, program, algorithm = (str(parsed.parameters.get(key, "")) for key in ("level", "path", "algorithm"))
        if parsed.name == COMPUTER and level:
            return f"computer, level {level}" if level.isdecimal() else f"computer, {level}"
        if program:
            return Path(shlex.split(program)[0]).stem
        return short_name(algorithm) if algorithm else Path(parsed.name).stem
    except (GamesearchError, ValueError, IndexError):  # the text is not a specification
        return specification


def board_and_turn(game: Game, state: Any) -> tuple[Board, str]:
    """The board of a game that is not over, and a sentence about whose turn it is.

    The sentence is empty if a note of the board already says whose turn it is. Then Max or Min is added to this note.
    """
    board, player = picture(game, state), game.player(state)
    if player == CHANCE:
        return board, "chance decides next"
    name, _, role = player_text(game, player).partition(" (")
    said = re.compile(rf"\b{re.escape(name)}(?: \((\w+)\))? to move\b")

    def with_role(match: re.Match[str]) -> str:
        marks = ", ".join(filter(None, (match[1], role.rstrip(")"))))
        return f"{name} ({marks}) to move" if marks else match[0]

    notes = [said.sub(with_role, note) for note in board.notes]
    if any(said.search(note) for note in board.notes):
        return replace(board, notes=notes), ""
    return board, f"{player_text(game, player)} to move"


def position_parts(game: Game, state: Any, over: str) -> RenderResult:
    """The board, and a line that says whose turn it is. The line is left out if a note of the board already says whose
    turn it is. If the game is over, `over` is the text of the line."""
    board, turn = (picture(game, state), over) if over else board_and_turn(game, state)
    yield BoardView(board)
    yield Text()
    if turn:
        yield Text(turn)
