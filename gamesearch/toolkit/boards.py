"""Pictures of boards: rows of cells, and the appearance of the cells. `gamesearch.render` draws them as text and as
SVG."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import Literal, get_args

from gamesearch.errors import GamesearchError

__all__ = [
    "CHOSEN", "CURSOR", "LAST", "STICK", "TAKEN", "TARGET", "WON", "Board", "Cell", "Footprint", "Palette", "Place",
    "board_lines", "cells_compared", "changed_places", "differing_places", "footprint_between", "places_in_line",
]  # fmt: skip

Layout = Literal["cells", "holes", "crossings", "hexagons", "points"]
"""The shape of a board's places: square cells, round holes, crossings of lines (as in Go), hexagons in rows that may be
shifted, or the points of backgammon."""

Place = tuple[int, int]
"""The row of a cell, counted from 0 at the top, and its column, counted from 0 at the left."""

LAST, WON, TAKEN = "last", "won", "taken"
"""Marks of cells: the last move has changed the cell (LAST), the cell is part of the winning line (WON), or its piece
was captured (TAKEN)."""
CHOSEN, TARGET, CURSOR = "chosen", "target", "cursor"
"""Marks of cells while the user chooses a move: the chosen piece, the cells that it can move to, and the cursor."""
STICK = "|"
"""The text of a cell that contains a stick, as in Nim. On a backgammon board, the text of the bar's cells."""


@dataclass(frozen=True)
class Palette:
    """The colors of a game's boards, as #rrggbb. A terminal with fewer colors shows the nearest color that it has."""

    layout: Layout = "cells"
    board: str = "#39414d"
    """The color of the board, or of its light squares."""
    dark: str = "#2c333d"
    """The color of dark squares, of holes, and of every second point in backgammon."""
    line: str = ""
    """The color of lines between cells; empty for a board without lines."""
    sides: tuple[str, ...] = ("#ffd75f", "#5fd7ff", "#ff9fd0", "#9fe870")
    discs: bool = False
    """Whether pieces are drawn as discs instead of letters or glyphs."""
    letters: bool = False
    """Whether letters are drawn on discs. If not, the discs of different players differ only in color."""
    mark: str = "#e8c547"
    """The background color of marked cells."""
    is_upright: bool = False
    """Whether the board has a fixed top, for example because stones fall down. Such a board is never rotated."""

    def __post_init__(self) -> None:
        """Raise GamesearchError if a color or layout is invalid."""
        if self.layout not in get_args(Layout):
            raise GamesearchError(
                f"the layout of a palette must be one of {', '.join(get_args(Layout))}, not {self.layout!r}"
            )
        if not isinstance(self.sides, tuple) or not self.sides:
            raise GamesearchError(f"sides of a palette must be a tuple with one color per player, not {self.sides!r}")
        for name, color in [
            *((name, getattr(self, name)) for name in ("board", "dark", "mark")),
            *([("line", self.line)] if self.line else []),
            *(("sides", color) for color in self.sides),
        ]:
            if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
                raise GamesearchError(f"{name} of a palette must be a color such as #39414d, not {color!r}")


@dataclass(frozen=True)
class Cell:
    """One cell of a drawn board. `text` is ASCII and differs for the two sides. Terminals that can display the `glyph`
    show it instead of the text. The text or the disc is drawn in the color of `owner`, a player (MAX, MIN, ...)."""

    text: str = "."
    glyph: str = ""
    owner: int | None = None
    faint: bool = False
    marked: bool = False
    dark: bool = False
    absent: bool = False
    """Whether this place is outside the board. It is drawn as empty space."""
    label: str = ""
    """The text on a disc, such as a number of pieces."""
    tint: int | None = None
    """The player whose color tints the cell itself, such as the owner of a box."""


@dataclass(frozen=True)
class Board:
    """The picture of a position: rows of cells from top to bottom, labels, and lines of text below the board."""

    rows: Sequence[Sequence[Cell]] = ()
    row_labels: Sequence[str] = ()
    column_labels: Sequence[str] = ()
    notes: Sequence[str] = ()
    top_labels: Sequence[str] = ()
    """The labels of the columns above the board, if they differ from the labels below the board."""
    shifts: Sequence[int] = ()
    """The shift of each row of hexagons to the right, measured in half cells."""
    edges: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """The players to whom the edges of the board belong (top, right, bottom, left). None means that an edge belongs to
    no player."""
    lines: Sequence[tuple[Place, Place]] | None = None
    """The drawn lines between neighboring crossings; None if all lines are drawn."""
    block: int = 0
    """The number of rows and columns between two heavy lines. For example, heavy lines separate the small boards of
    ultimate tic-tac-toe. If the number is 0, no heavy lines are drawn."""
    marks: dict[Place, str] = field(default_factory=dict)
    palette: Palette = Palette()
    sides: Sequence[str] = ()

    def cell(self, place: Place) -> Cell:
        """The cell at a place."""
        return self.rows[place[0]][place[1]]

    def places(self) -> list[Place]:
        """The places of all cells that are not absent."""
        return [(r, c) for r, row in enumerate(self.rows) for c, cell in enumerate(row) if not cell.absent]

    def mark(self, place: Place) -> str:
        """The mark of a cell; empty if the cell has no mark."""
        return self.marks.get(place, LAST if self.cell(place).marked else "")

    @property
    def why_not_turned(self) -> str:
        """A sentence that explains why the board cannot be rotated; empty if the board can be rotated."""
        if not self.rows:
            return "this game has no board to turn; to change sides, use the command swap"
        return "this board has a fixed top, so it cannot be turned" if self.palette.is_upright else ""

    def flip(self) -> "Board":
        """The board seen from the opposite side: its rows and columns in reverse order."""
        bottom, right = len(self.rows) - 1, max(map(len, self.rows), default=0) - 1

        def turn(place: Place) -> Place:
            return bottom - place[0], right - place[1]

        return replace(
            self,
            rows=[tuple(reversed(row)) for row in reversed(self.rows)],
            row_labels=tuple(reversed(self.row_labels)),
            column_labels=tuple(reversed(self.top_labels or self.column_labels)),
            top_labels=tuple(reversed(self.column_labels)) if self.top_labels else (),
            shifts=[max(self.shifts) - shift for shift in reversed(self.shifts)] if self.shifts else (),
            edges=self.edges[2:] + self.edges[:2],
            lines=None if self.lines is None else [(turn(end), turn(start)) for start, end in self.lines],
            marks={turn(place): mark for place, mark in self.marks.items()},
        )


def places_in_line(rows: Sequence[Sequence[Cell]], length: int) -> dict[Place, str]:
    """Find all lines and diagonals of at least `length` adjacent cells of one side, and mark these cells with WON."""
    owners = {(r, c): cell.owner for r, row in enumerate(rows) for c, cell in enumerate(row) if cell.owner is not None}
    found: dict[Place, str] = {}
    for (row, column), owner in owners.items():
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if owners.get((row - down, column - across)) == owner:
                continue  # the line begins at an earlier cell
            count = 1
            while owners.get((row + count * down, column + count * across)) == owner:
                count += 1
            if count >= length:
                found |= {(row + i * down, column + i * across): WON for i in range(count)}
    return found


def changed_places(before: Board, after: Board, mover: int | None) -> dict[Place, str]:
    """Mark the places at which two boards differ. If a piece of another player disappeared from a place, mark it with
    TAKEN. Mark all other places with LAST.

    Pieces that changed sides, such as flipped discs in Othello, are marked like placed pieces. A game can define
    `cells_of_move` to mark fewer cells.
    """
    return {
        place: TAKEN if new.owner is None and old.owner != mover else LAST
        for place, old, new in cells_compared(before, after)
        if (old.owner, old.text) != (new.owner, new.text) and (old.owner, new.owner) != (None, None)
    }


def cells_compared(before: Board, after: Board) -> list[tuple[Place, Cell, Cell]]:
    """For each place of the boards, the place, its cell on the first board, and its cell on the second board. The list
    is empty if the boards have rows of different lengths."""
    if [len(row) for row in before.rows] != [len(row) for row in after.rows]:
        return []
    return [(place, before.cell(place), after.cell(place)) for place in after.places()]


@dataclass(frozen=True)
class Footprint:
    """The places on the board that a user can click to make a move."""

    starts: frozenset[Place] = frozenset()
    """The places that the mover's pieces leave; empty if the move only places a piece."""
    ends: frozenset[Place] = frozenset()
    """The places at which the mover's pieces arrive; if no piece moves, the places that the move changes."""
    others: frozenset[Place] = frozenset()

    @property
    def places(self) -> frozenset[Place]:
        """All places that belong to the move."""
        return self.starts | self.ends | self.others


def footprint_between(before: Board, after: Board, mover: int) -> Footprint:
    """Find the footprint of a move by comparing the boards before and after it. A move may shift, add or remove pieces,
    or draw lines."""
    cells = cells_compared(before, after)
    lines = set(after.lines or ()) - set(before.lines or ())
    if cells and lines:
        return Footprint(ends=frozenset(((r + s) // 2, (c + d) // 2) for (r, c), (s, d) in lines))
    came = {place for place, old, new in cells if new.owner == mover != old.owner}
    went = {place for place, old, new in cells if old.owner == mover != new.owner}
    taken = {place for place, old, new in cells if new.owner is None and old.owner not in (None, mover)}
    if came and went:
        return Footprint(frozenset(went), frozenset(came), frozenset(taken))
    placed = {place for place in came if before.cell(place).owner is None}
    return Footprint(ends=frozenset(placed or came or went), others=frozenset(taken))  # without flipped pieces


def differing_places(before: Board, after: Board) -> frozenset[Place]:
    """The places at which the cells of two boards have different texts."""
    return frozenset(
        place for place, old, new in cells_compared(before, after) if (old.text, old.label) != (new.text, new.label)
    )


def board_lines(board: Board) -> list[str]:
    """Draw a board as lines of plain text."""
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
    if len(board.shifts) > 1:  # a shift of 1 is half a cell, and a cell is as wide as its text and a blank
        shifts = [*board.shifts, 2 * board.shifts[-1] - board.shifts[-2]]
        half, least = (width + 1) // 2, min(shifts)
        lines = [" " * (half * (shift - least)) + line for shift, line in zip(shifts, lines, strict=False)]
    if board.top_labels:
        lines.insert(0, line("", board.top_labels))
    return [*lines, *board.notes]


def bars(count: int, block: int) -> list[int]:
    """The indices of the rows or columns directly after a heavy line, in descending order. The board has `count` rows
    or columns, and a heavy line after each `block` of them."""
    return list(range(count - count % block if count % block else count - block, 0, -block)) if block else []
