"""A board as a Rich renderable, with the size and the colors that the terminal allows.

The pieces of the sides differ in color, and also in shape or letter. Each text color is set together with its
background color, so a board is readable on light and dark terminals.
"""

from collections.abc import Callable, Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from gamesearch.render.boards import crossings, hexagons, points, squares
from gamesearch.render.boards.canvas import Canvas, Drawing
from gamesearch.render.boards.compact import compact_drawing
from gamesearch.render.boards.ink import Ink
from gamesearch.render.boards.pieces import legend
from gamesearch.toolkit.boards import Board

__all__ = ["BoardView", "board_drawing"]

LINES_LEFT = 7
"""The number of terminal lines that the board leaves free for input and messages."""

Size = tuple[int, int]
Painter = Callable[[Board, Ink, Size], Canvas]
LAYOUTS: dict[str, tuple[Painter, tuple[Size, ...]]] = {
    "cells": (squares.draw_squares, squares.SIZES),
    "holes": (squares.draw_squares, squares.SIZES),
    "crossings": (crossings.draw_crossings, crossings.SIZES),
    "hexagons": (hexagons.draw_hexagons, hexagons.SIZES),
    "points": (points.draw_points, points.SIZES),
}
"""For each layout of a board, the function that draws it and the possible sizes of its cells."""


class BoardView:
    """Draws the board of a position.

    In a terminal, cells have colors, lines and several sizes. Otherwise, or if `only_ascii` is true, the board is only
    rows of characters. If `only_ascii` is true, the pieces are letters instead of symbols such as ♔.
    """

    def __init__(self, board: Board, only_ascii: bool = False) -> None:
        self.board, self.only_ascii = board, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the rows, the labels of the columns and the notes."""
        yield from self.lines(console, options)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """The width of the longest line."""
        width = max((line.cell_len for line in self.lines(console, options)), default=0)
        return Measurement(min(width, options.max_width), min(width, options.max_width))

    def lines(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Each line of the picture."""
        board, ink = self.board, Ink(self.board.palette, console)
        only_ascii = self.only_ascii or options.ascii_only
        if board.rows and (only_ascii or not console.is_terminal):
            yield from compact_drawing(board, ink, only_ascii).lines
        elif board.rows:
            height = console.height - LINES_LEFT - len(board.notes)
            yield from board_drawing(board, ink, (options.max_width, height), only_ascii).lines
            whose = legend(board, ink)
            if whose is not None:
                yield from whose.texts()
        for note in board.notes:
            yield Text(note)


def board_drawing(board: Board, ink: Ink, room: Size, only_ascii: bool = False, *, is_strict: bool = False) -> Drawing:
    """Draw a board with the largest cells that fit into `room`, a width and a height. If not even the smallest cells
    fit, draw the board as rows of characters.

    If `is_strict` is false, a board with the smallest cells may be higher than `room`, but not wider.
    """
    paint, sizes = LAYOUTS[board.palette.layout]
    for size in () if only_ascii else sizes:
        canvas = paint(board, ink, size)
        if canvas.width <= room[0] and (canvas.height <= room[1] or (size == sizes[-1] and not is_strict)):
            return Drawing(canvas.texts(), canvas.boxes)
    return compact_drawing(board, ink, only_ascii)
