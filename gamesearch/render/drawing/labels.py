"""The labels beside and below a board."""

from collections.abc import Sequence

from gamesearch.render.drawing.canvas import Canvas
from gamesearch.toolkit.boards import Board

__all__ = ["label_columns", "label_rows", "margin_of"]


def margin_of(board: Board) -> int:
    """How many characters the labels of the rows take, with a blank behind them."""
    return max((len(label) + 1 for label in board.row_labels), default=0)


def label_rows(canvas: Canvas, board: Board, lines: list[int]) -> None:
    """Write the labels of rows, each on its line, at the left."""
    margin = margin_of(board)
    for label, y in zip(board.row_labels, lines, strict=False):
        canvas.put(margin - 1 - len(label), y, label)


def label_columns(canvas: Canvas, labels: Sequence[str], middles: list[int], y: int) -> None:
    """Write the labels of columns, each round its middle."""
    for label, x in zip(labels, middles, strict=False):
        canvas.put(x - (len(label) - 1) // 2, y, label)
