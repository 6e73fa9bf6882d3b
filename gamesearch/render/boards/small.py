"""Boards in bright colors for white paper, and small boards without labels and notes for the nodes of a tree."""

from dataclasses import replace

from gamesearch.render.boards.colors import luminance, with_luminance
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["board_for_print", "small_board"]

DARK = 0.3
"""A board without discs is drawn in white if its luminance is not greater than this."""
INK = 0.1
"""The greatest luminance of texts and pieces on white paper. The contrast with a marked cell is then more than 5."""
PALE = "#ffe9a8"
EMPTY = Cell(".")


def small_board(board: Board) -> Board:
    """A board to draw at a node of a tree."""
    return replace(
        board_for_print(board),
        rows=[[small_cell(cell) for cell in row] for row in board.rows],
        row_labels=(),
        column_labels=(),
        top_labels=(),
        notes=(),
        sides=(),
    )


def small_cell(cell: Cell) -> Cell:
    """Return the cell. If the cell is empty and its text is only its number, remove the text."""
    if cell.faint and cell.owner is None and cell.text.isalnum():
        return replace(EMPTY, dark=cell.dark, absent=cell.absent, tint=cell.tint)
    return cell


def board_for_print(board: Board) -> Board:
    """The board in colors for white paper; boards that are bright or have discs keep their colors."""
    palette = board.palette
    if palette.discs or luminance(palette.board) > DARK:
        return board
    light = replace(
        palette,
        board="#ffffff",
        dark="#e4e6ea" if palette.layout != "holes" else "#f1ece2",
        line="#4b525c",
        sides=tuple(with_luminance(side, INK) for side in palette.sides),
        mark=PALE,
    )
    return replace(board, palette=light)
