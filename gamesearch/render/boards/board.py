"""A board as a Rich renderable, with the size and the colors that the terminal allows.

The pieces of the sides differ in color, and also in shape or letter. Each text color is set together with its
background color, so a board is readable on light and dark terminals.
"""

from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

from gamesearch.render.boards import crossings, hexagons, points, squares
from gamesearch.render.boards.canvas import BRACKETS, Canvas, Drawing, legend
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["BoardView", "board_drawing", "board_lines", "compact_drawing"]

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

    In a terminal, cells have colors and lines, and their size depends on the size of the terminal. If the output is not
    a terminal, or if `only_ascii` is true, the board consists of rows of characters. If `only_ascii` is true, pieces
    are letters instead of symbols such as ♔.
    """

    def __init__(self, board: Board, only_ascii: bool = False) -> None:
        self.board, self.only_ascii = board, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the rows, the labels of the columns and the notes."""
        yield from self.lines(console, options)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = max((line.cell_len for line in self.lines(console, options)), default=0)
        return Measurement(min(width, options.max_width), min(width, options.max_width))

    def lines(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Each line of the picture."""
        board, ink = self.board, Ink(self.board, console)
        only_ascii = self.only_ascii or options.ascii_only
        if board.rows:
            room = (options.max_width, console.height - LINES_LEFT - len(board.notes))
            drawing = None
            if console.is_terminal and not only_ascii:
                drawing = canvas_drawing(board, ink, room, is_strict=False)
            for line in (drawing or compact_drawing(board, ink, room, only_ascii)).lines:
                yield from line.divide(range(room[0], line.cell_len, room[0]))
            whose = legend(board, ink)
            if drawing and whose:
                yield from whose.texts()
        for note in board.notes:
            yield Text(note)


def board_drawing(board: Board, ink: Ink, room: Size, only_ascii: bool) -> Drawing:
    """Draw a board with the largest cells that fit into `room`, a width and a height. If not even the smallest cells
    fit, draw the board as rows of characters."""
    drawing = None if only_ascii else canvas_drawing(board, ink, room, is_strict=True)
    return drawing or compact_drawing(board, ink, room, only_ascii)


def canvas_drawing(board: Board, ink: Ink, room: Size, *, is_strict: bool) -> Drawing | None:
    """Draw a board with the largest cells that fit into `room`, or return None if not even the smallest cells fit.

    If `is_strict` is false, a board with the smallest cells may be taller than `room`, but not wider.
    """
    paint, sizes = LAYOUTS[board.palette.layout]
    for size in sizes:
        canvas = paint(board, ink, size)
        drawing = Drawing(canvas.texts(), canvas.boxes)
        if drawing.width <= room[0] and (canvas.height <= room[1] or (size == sizes[-1] and not is_strict)):
            return drawing
    return None


# Rows of characters, for consoles that are small or cannot show special characters. ---------------
def compact_drawing(board: Board, ink: Ink, room: Size | None, only_ascii: bool) -> Drawing:
    """Draw the rows of a board, with labels. Every cell is as wide as the widest cell, with a space on each side. If
    the rows are shifted, or if the board would be wider than `room`, only the space on the right is drawn."""
    drawing = Drawing([], {})
    for is_narrow in (bool(board.shifts), True):
        drawing = Drawing([], {})
        for line in compact_lines(board, ink, only_ascii, drawing, is_narrow):
            drawing.lines.append(line)
        if room is None or drawing.width <= room[0]:
            break
    return drawing


def board_lines(board: Board) -> list[str]:
    """The rows of a board as plain text, for formats that can draw only text."""
    return [line.plain for line in compact_drawing(board, Ink(board, Console(no_color=True)), None, False).lines]


def compact_lines(board: Board, ink: Ink, only_ascii: bool, drawing: Drawing, is_narrow: bool) -> Iterator[Text]:
    """Yield each line of text, and add the boxes of its cells to `drawing`. The caller must add the line to `drawing`
    before it asks for the next line."""
    texts = [[text_of(cell, only_ascii) for cell in row] for row in board.rows]
    labels = [*board.column_labels, *board.top_labels]
    width = max([cell_len(text) for row in texts for text in row] + [len(label) for label in labels] + [1])
    margin = max((len(label) for label in board.row_labels), default=0)
    start = f"{'':{margin}} " if margin else ""
    if board.top_labels:
        yield Text(label_line(start, board.top_labels, width, is_narrow), no_wrap=True)
    slant = 2 * board.shifts[-1] - board.shifts[-2] if len(board.shifts) > 1 else 0
    top, right, bottom, left = (letter_of(owner, board) for owner in board.edges)
    indent = start + " " * (2 * bool(left))
    if top:
        yield Text(indent[1:] + " ".join(top * len(board.rows[0])), style=side_style(board.edges[0], ink), no_wrap=True)
    for number, row in enumerate(board.rows):
        label = board.row_labels[number] if number < len(board.row_labels) else ""
        line = Text(f"{label:>{margin}} " if margin else "", no_wrap=True)
        if board.block and number and number % board.block == 0:
            block = "-" * (board.block * (width + 2))
            yield Text(start + "+".join([block] * -(-len(row) // board.block)), no_wrap=True)
        if board.shifts:
            line = Text(" " * (board.shifts[number] - min(slant, 0))) + line
            row = row[: max((column for column, cell in enumerate(row) if not cell.absent), default=-1) + 1]
            line.append(f"{left} " if left else "", style=side_style(board.edges[3], ink))
        for column, cell in enumerate(row):
            if board.block and column and column % board.block == 0:
                line.append("|")
            mark = board.mark((number, column))
            piece = center(texts[number][column], width, mark, is_narrow)
            if is_dash(row, column):
                piece = "-" * len(piece)
            elif is_dash(row, column - 1) or is_dash(row, column + 1):
                left, right = ("-" if is_dash(row, at) else " " for at in (column - 1, column + 1))
                ahead = len(piece) - len(piece.lstrip())
                piece = left * ahead + piece.strip() + right * (len(piece.lstrip()) - len(piece.strip()))
            drawing.boxes[number, column] = (line.cell_len, len(drawing.lines), cell_len(piece), 1)
            line.append(piece, style=Style() if cell.absent else style_of(cell, ink, mark))
        line.append(right, style=side_style(board.edges[1], ink))
        yield line
    if bottom:
        row_below = " ".join(bottom * len(board.rows[-1]))
        yield Text(" " * max(slant, 0) + indent + row_below, style=side_style(board.edges[2], ink), no_wrap=True)
    if board.column_labels and board.shifts:
        yield Text(" " * (max(slant, 0) + bool(bottom)) + indent + " ".join(board.column_labels), no_wrap=True)
    elif board.column_labels:
        yield Text(label_line(start, board.column_labels, width, is_narrow), no_wrap=True)
    if marks := side_marks(board, only_ascii):
        yield Text(marks, no_wrap=True)


def letter_of(owner: int | None, board: Board) -> str:
    """The letter of the player who owns an edge of the board; empty if the edge has no owner."""
    return "" if owner is None or not board.shifts or not board.sides else board.sides[owner][:1]


def side_style(owner: int | None, ink: Ink) -> Style:
    """The color of a player."""
    return Style() if owner is None or not ink.has_colors else Style(color=ink.side(owner))


def side_marks(board: Board, only_ascii: bool) -> str:
    """The letter and the name of each player, such as `X Black, O White`; empty if the letters need no explanation.

    No explanation is needed if each player's name is its letter, or if pieces have their own letters, as in chess.
    """
    marks: dict[int, set[str]] = {}
    for row in board.rows:
        for cell in row:
            if cell.owner is not None and not cell.label:
                marks.setdefault(cell.owner, set()).add(text_of(cell, only_ascii))
    if not board.palette.discs or any(len(each) > 1 for each in marks.values()):
        return ""
    named = [(min(marks[owner]), name) for owner, name in enumerate(board.sides) if owner in marks]
    return "" if all(mark == name for mark, name in named) else ", ".join(f"{mark} {name}" for mark, name in named)


def is_dash(row: Sequence[Cell], column: int) -> bool:
    """Whether the text in this column of a row is a dash. Dashes form the horizontal lines between cells."""
    return 0 <= column < len(row) and row[column].absent and row[column].text == "-"


def text_of(cell: Cell, only_ascii: bool) -> str:
    """The characters of a cell."""
    return cell.text if cell.absent or only_ascii else cell.glyph or cell.text


def label_line(start: str, labels: Sequence[str], width: int, is_narrow: bool) -> str:
    """The labels of the columns, above or below the board."""
    return (start + "".join(center(label, width, "", is_narrow) for label in labels)).rstrip()


def center(text: str, width: int, mark: str, is_narrow: bool) -> str:
    """The characters of a cell, with a space on each side, or only on the right side if `is_narrow` is true. If the
    cell is marked, brackets replace the spaces."""
    space = width - cell_len(text)
    inside = " " * (space // 2) + text + " " * (space - space // 2)
    left, right = BRACKETS.get(mark, ("[", "]")) if mark else (" ", " ")
    return inside + right if is_narrow else left + inside + right


def style_of(cell: Cell, ink: Ink, mark: str) -> Style:
    """The style of a cell. On a console without colors, pieces are bold."""
    if not ink.has_colors:
        return Style(bold=cell.owner is not None)
    return Style(color=ink.fore(cell), bgcolor=ink.ground(cell, mark), bold=cell.owner is not None)
