"""Text for the parts of a trace that depend on the game: sides, values, windows and boards.

So a reader of a trace needs neither the game nor the algorithm.
"""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, value_text, value_with_distance_text, window_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.game import CHANCE, Game
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.derived_games import InLeague

__all__ = ["board_lines", "side_name", "value_facts", "window_facts"]


def side_name(game: Game, side: int | None) -> str:
    """The side to move: Max, Min, chance, or the name of a player; `end` if the game is over.

    A player against a league of all others has a name, and so has the league.
    """
    if side is None:
        return "end"
    has_role = game.players == 2 and game.zero_sum and side != CHANCE and not isinstance(game, InLeague)
    return ("Max", "Min")[side] if has_role else game.player_name(side)


def value_facts(game: Game, value: Value) -> dict[str, Any]:
    """A value in JSON, and as people read it."""
    shown = value_text(value) if isinstance(value, tuple) else value_with_distance_text(game, value)
    return {"value": data_number(value), "shown": shown}


def window_facts(game: Game, alpha: float | None, beta: float | None) -> dict[str, Any]:
    """A window in JSON, with null for infinity, and as people read it; empty for searches without windows."""
    if alpha is None or beta is None:
        return {"window": None, "window_shown": ""}
    return {"window": [data_number(alpha), data_number(beta)], "window_shown": window_text(game, alpha, beta)}


def board_lines(board: Board) -> list[str]:
    """A board as lines of plain characters."""
    width = max((len(cell.text) for row in board.rows for cell in row), default=1)
    margin = max((len(label) for label in board.row_labels), default=0)

    def line(label: str, texts: Sequence[str], bar: str = "|") -> str:
        shown = [f"{text:>{width}}" for text in texts]
        for at in bars(len(shown), board.block):
            shown.insert(at, bar)
        return f"{label:>{margin}} {' '.join(shown)}".rstrip()[0 if margin else 1 :]

    labels = chain(board.row_labels, repeat(""))
    lines = [line(label, [cell.text for cell in row]) for label, row in zip(labels, board.rows, strict=False)]
    for at in bars(len(board.rows), board.block):
        lines.insert(at, line("", ["-"] * len(board.rows[0]), "+"))
    if board.column_labels:
        lines.append(line("", board.column_labels))
    if len(board.shifts) > 1:  # by half a cell, which is as wide as a character and the blank behind it
        shifts = [*board.shifts, 2 * board.shifts[-1] - board.shifts[-2]]
        half, least = (width + 1) // 2, min(shifts)
        lines = [" " * (half * (shift - least)) + line for shift, line in zip(shifts, lines, strict=False)]
    if board.top_labels:
        lines.insert(0, line("", board.top_labels))
    return [*lines, *board.notes]


def bars(count: int, block: int) -> list[int]:
    """The rows or columns before which a line separates blocks, the last first."""
    return list(range(count - count % block if count % block else count - block, 0, -block)) if block else []
