"""Notation that several games share: the rows of a board from the top, such as X.O/.X./..O.

In this module, `rows` are the rows of a board from the top. Each row lists the numbers of its cells. The number of a
cell is the index of its bit in a bitboard. `marks` contains one letter for each bitboard, in the same order. This
letter marks the cells of the bitboard. A dot stands for an empty cell.
"""

import string
from collections.abc import Sequence

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.cells import members
from gamesearch.toolkit.boards import Cell

__all__ = [
    "LETTERS", "cell_of", "draw_boards", "mark_at", "read_boards", "square_name", "square_rows", "stones_ahead",
]  # fmt: skip

EMPTY = "."
LETTERS = string.ascii_lowercase
"""The names of the columns."""


def square_rows(size: int, width: int) -> list[range]:
    """The rows of a square board from the top. Adjacent rows are `width` bits apart."""
    return [range(row * width, row * width + size) for row in reversed(range(size))]


def square_name(square: int, width: int, letters: str = LETTERS) -> str:
    """The name of a square: the letter of its column and the number of its row. Rows are `width` bits apart."""
    return f"{letters[square % width]}{square // width + 1}"


def read_boards(drawn: Sequence[str], rows: Sequence[Sequence[int]], marks: str = "XO") -> list[int] | None:
    """Read the rows of a drawn board; returns a bitboard for each mark, or None if a row has the wrong length or an
    unknown mark."""
    if [len(row) for row in drawn] != [len(row) for row in rows] or set("".join(drawn)) - {*marks, EMPTY}:
        return None
    cells = [cell for row in rows for cell in row]
    return [sum(1 << cell for cell, each in zip(cells, "".join(drawn), strict=True) if each == mark) for mark in marks]


def read_stones(text: str, drawn: Sequence[str], rows: Sequence[Sequence[int]]) -> list[int]:
    """The bitboards of X and O. Raises GamesearchError if a row has the wrong length or an unknown mark."""
    boards = read_boards(drawn, rows)
    if boards is None:
        lengths = "-".join(map(str, dict.fromkeys(map(len, rows))))  # for example 11 in Hex and 1-2-...-11 in Y
        raise GamesearchError(f"{text!r} is not {len(rows)} rows of {lengths} marks (X, O or '.'), joined by '/'")
    return boards


def stones_ahead(text: str, crosses: int, noughts: int) -> int:
    """The number of Xs minus the number of Os. Raises GamesearchError unless X began and the sides alternated."""
    surplus = crosses.bit_count() - noughts.bit_count()
    if surplus not in (0, 1):
        counts = f"{crosses.bit_count()} X and {noughts.bit_count()} O"
        raise GamesearchError(f"{text!r} has {counts}, but X begins, and the sides take turns")
    return surplus


def draw_boards(boards: Sequence[int], rows: Sequence[Sequence[int]], marks: str = "XO") -> str:
    """The board as rows of marks, joined by `/`."""
    drawn = {cell: mark for mark, board in zip(marks, boards, strict=True) for cell in members(board)}
    return "/".join("".join([drawn.get(cell, EMPTY) for cell in row]) for row in rows)


def mark_at(cell: int, boards: Sequence[int], marks: str = "XO") -> str:
    """The mark of the bitboard that contains a cell; a dot if the cell is empty."""
    for mark, board in zip(marks, boards, strict=True):
        if board >> cell & 1:
            return mark
    return EMPTY


def cell_of(mark: str, empty: Cell, marks: str = "XO") -> Cell:
    """The picture of a cell: a stone if the mark belongs to a side, and `empty` if the mark is a dot."""
    return Cell(mark, owner=marks.index(mark)) if mark in marks else empty
