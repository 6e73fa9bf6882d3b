"""A position as a picture: rows of cells, which `gamesearch.render.board` draws."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Board", "Cell"]


@dataclass(frozen=True)
class Cell:
    """One cell of a drawn board.

    `text` is ASCII and differs for the two sides; `glyph`, if there is one, replaces it on a terminal that can draw it.
    `owner` (MAX, MIN, ...) only adds colour.
    """

    text: str = "."
    glyph: str = ""
    owner: int | None = None
    faint: bool = False
    marked: bool = False
    dark: bool = False


@dataclass(frozen=True)
class Board:
    """A position as rows of cells, top row first, with labels and lines of text below."""

    rows: Sequence[Sequence[Cell]] = ()
    row_labels: Sequence[str] = ()
    column_labels: Sequence[str] = ()
    notes: Sequence[str] = ()
