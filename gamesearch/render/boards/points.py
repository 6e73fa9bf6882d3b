"""Boards as in backgammon: two rows of points (triangles). Pieces on a point are stacked from the edge of the board."""

from itertools import takewhile

from gamesearch.render.boards.canvas import Canvas, draw_brackets, draw_piece, label_columns, label_rows, margin_of
from gamesearch.render.boards.colors import mix_colors
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import STICK, Board, Cell, Place

__all__ = ["SIZES", "count_faint_cells", "draw_points", "inwards", "tip_of"]

SIZES = ((6, 2), (5, 1), (4, 1))
"""The possible widths and heights of a piece, the largest first."""


def draw_points(board: Board, ink: Ink, size: tuple[int, int]) -> Canvas:
    """Draw a board of backgammon: the bar, the tray, and the points, which become narrower towards the middle of the
    board."""
    width, height = size
    rows, columns = len(board.rows), len(board.rows[0])
    margin, above = margin_of(board), bool(board.top_labels)
    canvas = Canvas(margin + columns * width, above + rows * height + bool(board.column_labels))
    canvas.fill(margin, above, columns * width, rows * height, ink.board)
    for place in board.places():
        cell, mark = board.cell(place), board.mark(place)
        box = (margin + place[1] * width, above + place[0] * height, width, height)
        canvas.boxes[place] = box
        height_of_tip = tip_of(board, place)
        if height_of_tip is not None:
            draw_point(canvas, ink, cell, box, height_of_tip)
        elif ink.has_colors and not ink.has_few and cell.text == STICK:
            canvas.fill(*box, mix_colors(ink.board or "", "#000000", 0.25))
        if mark and ink.has_colors and not ink.needs_brackets:
            canvas.fill(box[0] + 1, box[1], width - 2 + width % 2, height, ink.ground(cell, mark))
        if cell.owner is not None or (height_of_tip is None and cell.text not in (STICK, " ")):
            draw_piece(canvas, ink, cell, (box[0], box[1], width - (width + 1) % 2 * (height == 1), height), mark)
        draw_brackets(canvas, ink, mark, box)
    label_rows(canvas, board, [above + row * height for row in range(rows)])
    middles = [margin + column * width + (width - 1) // 2 for column in range(columns)]
    label_columns(canvas, board.column_labels, middles, canvas.height - 1)
    label_columns(canvas, board.top_labels, middles, 0)
    return canvas


def tip_of(board: Board, place: Place) -> int | None:
    """How many cells of the same triangle are between a cell and the tip, including the cell at the tip. None if the
    cell is in no triangle."""
    return count_faint_cells(board, place, inwards(board, place)) if board.cell(place).faint else None


def inwards(board: Board, place: Place) -> int:
    """The direction from a cell to the middle of the board: 1 is down, -1 is up."""
    return 1 if place[0] < len(board.rows) // 2 else -1


def count_faint_cells(board: Board, place: Place, step: int) -> int:
    """The number of cells of the same triangle that are below a cell (`step` is 1) or above it (`step` is -1)."""
    rows = range(place[0] + step, len(board.rows) if step > 0 else -1, step)
    return sum(1 for _ in takewhile(lambda row: board.rows[row][place[1]].faint, rows))


def draw_point(canvas: Canvas, ink: Ink, cell: Cell, box: tuple[int, int, int, int], height_of_tip: int) -> None:
    """Draw a cell of a point (triangle). Cells near the tip are narrower. If the console has no colors, an empty cell
    is a dot."""
    x, y, width, height = box
    if not ink.has_colors:
        if cell.owner is None:
            canvas.center(x, y, width, "·", None)
        return
    color = ink.dark if cell.dark else ink.line
    inset, half = divmod(max(0, 4 - height_of_tip), 2)  # the space on each side of the point, in half characters
    canvas.fill(x + inset + half, y, width - 2 * (inset + half), height, color)
    for row in range(half * height):
        canvas.put(x + inset, y + row, "▐", color)
        canvas.put(x + width - 1 - inset, y + row, "▌", color)
