"""Notation that games share: a board as rows of marks from the top (X.O/.X./..O), and a position as moves so far.

`rows` are the rows of a board from the top, each with the numbers of its cells, which are their bits in
bitboards; `marks` has a letter for each bitboard, and an empty cell is a dot.
"""

import re
import string
from collections.abc import Hashable, Sequence
from typing import TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.cells import members
from gamesearch.toolkit.boards import Cell

__all__ = [
    "LETTERS",
    "cell_of",
    "draw_boards",
    "mark_at",
    "read_boards",
    "read_moves",
    "square_name",
    "square_rows",
    "stones_ahead",
]

EMPTY = "."
LONGEST_LIST = 10_000
"""The limit of the characters of a list of moves."""
LETTERS = string.ascii_lowercase
"""The names of the columns."""

State = TypeVar("State", bound=Hashable)


def square_rows(size: int, width: int) -> list[range]:
    """The rows of a square board on which the cell above is `width` bits further."""
    return [range(row * width, row * width + size) for row in reversed(range(size))]


def square_name(square: int, width: int, letters: str = LETTERS) -> str:
    """A square as the letter of its column and the number of its row; rows are `width` bits apart."""
    return f"{letters[square % width]}{square // width + 1}"


def read_boards(drawn: Sequence[str], rows: Sequence[Sequence[int]], marks: str = "XO") -> list[int] | None:
    """The bitboard of each of the marks; None where so drawn rows are not of this board."""
    if [len(row) for row in drawn] != [len(row) for row in rows] or set("".join(drawn)) - {*marks, EMPTY}:
        return None
    cells = [cell for row in rows for cell in row]
    return [sum(1 << cell for cell, each in zip(cells, "".join(drawn), strict=True) if each == mark) for mark in marks]


def read_stones(text: str, drawn: Sequence[str], rows: Sequence[Sequence[int]]) -> list[int]:
    """The bitboards of X and O; raises GamesearchError where so drawn rows are not of this board."""
    boards = read_boards(drawn, rows)
    if boards is None:
        lengths = "-".join(map(str, dict.fromkeys(map(len, rows))))  # 11 in Hex, 1-2-...-11 in Y
        raise GamesearchError(f"{text!r} is not {len(rows)} rows of {lengths} X, O or '.', joined by '/'")
    return boards


def stones_ahead(text: str, crosses: int, noughts: int) -> int:
    """The number of stones by which X, who begins, is ahead: 1 or 0, because players alternate."""
    surplus = crosses.bit_count() - noughts.bit_count()
    if surplus not in (0, 1):
        counts = f"{crosses.bit_count()} X and {noughts.bit_count()} O"
        raise GamesearchError(f"{text!r} has {counts}: X begins and the sides take turns")
    return surplus


def draw_boards(boards: Sequence[int], rows: Sequence[Sequence[int]], marks: str = "XO") -> str:
    """The marks of the bitboards, row by row."""
    drawn = {cell: mark for mark, board in zip(marks, boards, strict=True) for cell in members(board)}
    return "/".join("".join([drawn.get(cell, EMPTY) for cell in row]) for row in rows)


def mark_at(cell: int, boards: Sequence[int], marks: str = "XO") -> str:
    """The mark of the bitboard that has a cell, or a dot."""
    for mark, board in zip(marks, boards, strict=True):
        if board >> cell & 1:
            return mark
    return EMPTY


def cell_of(mark: str, empty: Cell, marks: str = "XO") -> Cell:
    """How a cell with a mark is drawn: as a stone of the side that has the mark, or as an empty one."""
    return Cell(mark, owner=marks.index(mark)) if mark in marks else empty


def read_moves(game: Game[State], text: str, move: re.Pattern[str] | None = None) -> State:
    """The position after moves from the start, with blanks or commas between them, and numbers such as `1.` before.

    With a pattern of moves, there need not be anything between them.
    """
    s = game.initial()
    if len(text) > LONGEST_LIST:
        raise GamesearchError(f"{text!r} is too long to be a list of moves")
    text = move.sub(r"\g<0> ", text) if move is not None else text
    for name in re.sub(r"(?:^|(?<=[\s,]))\d+\.+(?!\d)", " ", text).replace(",", " ").split():
        if game.terminal(s):
            raise GamesearchError(f"{text!r} goes on after the game is over, at {name}")
        s = game.result(s, game.parse_move(s, name))
    return s
