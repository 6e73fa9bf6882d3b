"""Small boards for the nodes of a drawn tree: without labels and notes, and never dark."""

from dataclasses import replace

from gamesearch.render.boards.colors import luminance, mix_colors
from gamesearch.toolkit.boards import Board, Cell, Palette

__all__ = ["small_board"]

DARK = 0.3
"""A board without discs is drawn in white if its luminance is less than this number."""
PALE = "#ffe9a8"
EMPTY = Cell(".")


def small_board(board: Board, is_plain: bool = False) -> Board:
    """A board to draw at a node of a tree. If `is_plain` is set, letters replace chess symbols, for TeX."""
    return replace(
        board,
        rows=[[small_cell(cell, is_plain) for cell in row] for row in board.rows],
        row_labels=(),
        column_labels=(),
        top_labels=(),
        notes=(),
        sides=(),
        palette=palette_for_print(board.palette),
    )


def small_cell(cell: Cell, is_plain: bool) -> Cell:
    """The cell, without its text if the text is only the number of an empty square."""
    if cell.faint and cell.owner is None and cell.text.isalnum():
        return replace(EMPTY, dark=cell.dark, absent=cell.absent, tint=cell.tint)
    return replace(cell, glyph="") if is_plain and cell.glyph else cell


def palette_for_print(palette: Palette) -> Palette:
    """The palette for white paper; boards that are bright or have discs keep their colors."""
    if palette.discs or luminance(palette.board) > DARK:
        return palette
    return replace(
        palette,
        board="#ffffff",
        dark="#e4e6ea" if palette.layout != "holes" else "#f1ece2",
        line="#4b525c",
        sides=tuple(mix_colors(side, "#000000", 0.4) for side in palette.sides),
        mark=PALE,
    )
