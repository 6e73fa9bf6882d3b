"""Boards of square cells, with or without lines between them, and boards with round holes."""

from gamesearch.render.boards.canvas import (
    Canvas,
    cell_text,
    draw_brackets,
    draw_piece,
    is_disc,
    label_columns,
    label_rows,
    margin_of,
)
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import TARGET, Board, Cell

__all__ = ["SIZES", "draw_squares", "lines_between"]

SIZES = ((7, 3), (5, 2), (3, 1))
"""The possible widths and heights of cells, the largest first."""


def draw_squares(board: Board, ink: Ink, size: tuple[int, int]) -> Canvas:
    """Draw a board with cells of the given size. Cells are wider if their contents need more room."""
    width, height = size
    if ink.has_symbols or (height == 2 and board.palette.line):
        width, height = SIZES[-1]  # in larger cells, symbols look small; between lines, the width must be odd
    elif height == 2 and board.palette.discs:
        width = 4  # with this width, a disc is round
    widths = [len(cell_text(board.cell(place), ink)) + 2 for place in board.places()]
    width = max([width, *widths, *(len(label) + 1 for label in [*board.column_labels, *board.top_labels])])
    gap = 1 if board.palette.line else 0
    rows, columns = len(board.rows), len(board.rows[0])
    margin, top = margin_of(board), int(bool(board.top_labels))
    bottom = top + rows * (height + gap) - gap
    canvas = Canvas(margin + columns * (width + gap) - gap, bottom + bool(board.column_labels))
    if gap or board.palette.layout == "holes":
        canvas.fill(margin, top, canvas.width - margin, bottom - top, ink.board)
    for row, column in board.places():
        box = (margin + column * (width + gap), top + row * (height + gap), width, height)
        canvas.boxes[row, column] = box
        draw_cell(canvas, ink, board.cell((row, column)), box, board.mark((row, column)))
    if gap:
        draw_lines(canvas, board, ink, margin, (width + 1, height + 1))
    label_rows(canvas, board, [top + row * (height + gap) + height // 2 for row in range(rows)])
    middles = [margin + column * (width + gap) + (width - 1) // 2 for column in range(columns)]
    label_columns(canvas, board.column_labels, middles, canvas.height - 1)
    label_columns(canvas, board.top_labels, middles, 0)
    return canvas


def draw_cell(canvas: Canvas, ink: Ink, cell: Cell, box: tuple[int, int, int, int], mark: str) -> None:
    """Draw a cell: its background, its contents and its mark."""
    canvas.fill(*box, ink.ground(cell, mark))
    if ink.palette.layout == "holes" and ink.has_colors and not is_disc(cell, ink):
        draw_hole(canvas, ink, cell, box)
        if mark == TARGET:
            canvas.center(box[0], box[1] + box[3] // 2, box[2], "•", ink.plain, bold=True)
    else:
        draw_piece(canvas, ink, cell, box, mark)
    draw_brackets(canvas, ink, mark, box)


def draw_hole(canvas: Canvas, ink: Ink, cell: Cell, box: tuple[int, int, int, int]) -> None:
    """Draw a hole, which is empty or contains a number."""
    x, y, width, height = box
    text = "" if cell.text in (".", " ") else cell_text(cell, ink)
    hole = Cell(text, owner=cell.owner, faint=cell.faint, dark=True)
    if text and height == 1:
        canvas.fill(x, y, width, height, ink.dark)
    else:
        canvas.disc(x, y, width, height, ink.dark)
    start = x + (width - len(text)) // 2
    canvas.put(start, y + height // 2, text, ink.fore(hole), ink.dark, bold=cell.owner is not None)


def draw_lines(canvas: Canvas, board: Board, ink: Ink, margin: int, step: tuple[int, int]) -> None:
    """Draw the lines between the cells, and heavy lines around blocks of cells."""
    for is_heavy, is_upright, number in lines_between(board):
        x, y = margin + number * step[0] - 1, number * step[1] - 1
        ends = ((x, 0), (x, len(board.rows) * step[1] - 2)) if is_upright else ((margin, y), (canvas.width - 1, y))
        canvas.line(*ends, ink.heavy if is_heavy else ink.line, heavy=is_heavy, goes_on=True)


def lines_between(board: Board) -> list[tuple[bool, bool, int]]:
    """The lines between cells; heavy lines come last. Each tuple says whether the line is heavy, and whether it is
    vertical. Its last item is a number: how many columns are to the left of a vertical line, or how many rows are above
    a horizontal line."""
    return sorted(
        (bool(board.block and number % board.block == 0), is_upright, number)
        for is_upright, count in ((False, len(board.rows)), (True, len(board.rows[0])))
        for number in range(1, count)
    )
