"""Boards of square cells, with lines between them or not, and of round holes in a sheet."""

from gamesearch.boards import TARGET, Board, Cell
from gamesearch.render.drawing.canvas import Canvas
from gamesearch.render.drawing.ink import Ink
from gamesearch.render.drawing.labels import label_columns, label_rows, margin_of
from gamesearch.render.drawing.pieces import draw_brackets, draw_piece, is_disc, shown_text

__all__ = ["SIZES", "draw_squares"]

SIZES = ((7, 3), (5, 2), (3, 1))
"""How wide and high a cell may be, the largest first."""


def draw_squares(board: Board, ink: Ink, size: tuple[int, int]) -> Canvas:
    """The board with cells of a size; wider if what is in them is."""
    width, height = size
    if height == 2 and board.palette.line:
        width, height = SIZES[-1]  # between lines, what is not in the middle looks wrong
    elif height == 2 and board.palette.discs:
        width = 4  # in which a disc is round
    widest = [len(shown_text(cell, ink)) for row in board.rows for cell in row if not cell.absent]
    width = max(
        [
            width,
            *(length + 2 for length in widest),
            *(len(label) + 1 for label in [*board.column_labels, *board.top_labels]),
        ]
    )
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
    """A cell with its ground, what is in it, and its mark."""
    if cell.absent:
        return
    is_hole = ink.palette.layout == "holes"
    canvas.fill(*box, ink.ground(cell, mark))
    if is_hole and ink.has_colours and not is_disc(cell, ink):
        draw_hole(canvas, ink, cell, box)
        if mark == TARGET:
            canvas.centre(box[0], box[1] + box[3] // 2, box[2], "•", ink.plain, bold=True)
    else:
        draw_piece(canvas, ink, cell, box, mark)
    draw_brackets(canvas, ink, mark, box)


def draw_hole(canvas: Canvas, ink: Ink, cell: Cell, box: tuple[int, int, int, int]) -> None:
    """A hole, with a number in it or empty."""
    x, y, width, height = box
    text = "" if cell.text in (".", " ") else shown_text(cell, ink)
    hole = Cell(text, owner=cell.owner, faint=cell.faint, dark=True)
    if text and height == 1:
        canvas.fill(x, y, width, height, ink.dark)
    else:
        canvas.disc(x, y, width, height, ink.dark)
    start = x + (width - len(text)) // 2
    canvas.put(start, y + height // 2, text, ink.fore(hole), ink.dark, bold=cell.owner is not None)


def draw_lines(canvas: Canvas, board: Board, ink: Ink, margin: int, step: tuple[int, int]) -> None:
    """Lines between the cells; heavier ones round blocks of them."""
    right = canvas.width - 1
    bottom = len(board.rows) * step[1] - 2
    for is_heavy in (False, True):
        for row in range(1, len(board.rows)):
            if is_heavy == bool(board.block and row % board.block == 0):
                y, fore = row * step[1] - 1, ink.heavy if is_heavy else ink.line
                canvas.line((margin, y), (right, y), fore, heavy=is_heavy, goes_on=True)
        for column in range(1, len(board.rows[0])):
            if is_heavy == bool(board.block and column % board.block == 0):
                x, fore = margin + column * step[0] - 1, ink.heavy if is_heavy else ink.line
                canvas.line((x, 0), (x, bottom), fore, heavy=is_heavy, goes_on=True)
