"""Boards on which stones are placed on the crossings of lines, as in Go."""

from gamesearch.render.boards.canvas import (
    Canvas,
    draw_brackets,
    draw_piece,
    is_disc,
    label_columns,
    label_rows,
    margin_of,
)
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import CURSOR, TARGET, Board, Cell, Place

__all__ = ["SIZES", "all_lines", "draw_crossings", "is_star"]

SIZES = ((6, 3), (4, 2), (2, 1))
"""Each pair contains the horizontal and the vertical distance between neighboring crossings. The largest distances come
first."""


def draw_crossings(board: Board, ink: Ink, size: tuple[int, int]) -> Canvas:
    """Draw a board; `size` contains the horizontal and the vertical distance between crossings."""
    across, down = size
    rows, columns = len(board.rows), len(board.rows[0])
    margin = margin_of(board)
    side, above = max(1, across // 2), down // 2
    canvas = Canvas(
        margin + (columns - 1) * across + 1 + 2 * side, (rows - 1) * down + 1 + 2 * above + bool(board.column_labels)
    )
    canvas.fill(margin, 0, canvas.width - margin, (rows - 1) * down + 1 + 2 * above, ink.board)

    def at(place: Place) -> tuple[int, int]:
        return margin + side + place[1] * across, above + place[0] * down

    for start, end in all_lines(board) if board.lines is None else board.lines:
        canvas.line(at(start), at(end), ink.line)
    for row, cells in enumerate(board.rows):
        for column in range(len(cells)):
            x, y = at((row, column))
            canvas.boxes[row, column] = (x - side, y - above, across, down)
    for place in [*board.places(), *(place for place in board.marks if board.cell(place).absent)]:
        draw_crossing(canvas, ink, board.cell(place), at(place), size, board.mark(place))
    label_rows(canvas, board, [at((row, 0))[1] for row in range(rows)])
    label_columns(canvas, board.column_labels, [at((0, column))[0] for column in range(columns)], canvas.height - 1)
    return canvas


def all_lines(board: Board) -> list[tuple[Place, Place]]:
    """The lines of a complete grid, from the first to the last crossing of each row and column."""
    bottom, right = len(board.rows) - 1, len(board.rows[0]) - 1
    return [
        *(((row, 0), (row, right)) for row in range(bottom + 1)),
        *(((0, column), (bottom, column)) for column in range(right + 1)),
    ]


def is_star(cell: Cell) -> bool:
    """Whether a crossing is an empty star point."""
    return cell.owner is None and cell.text == "+"


def draw_crossing(canvas: Canvas, ink: Ink, cell: Cell, at: tuple[int, int], size: tuple[int, int], mark: str) -> None:
    """Draw the stone or the symbol on a crossing, and the mark of the crossing."""
    x, y = at
    if cell.tint is not None:  # color the area around the crossing
        canvas.fill(x - size[0] + 1, y - size[1] + 1, 2 * size[0] - 1, 2 * size[1] - 1, ink.ground(cell))
    ground = ink.ground(cell, mark)
    is_empty = cell.owner is None and cell.text in (".", "+", " ")
    if is_star(cell):
        canvas.put(x, y, "•", ink.line, ground)
    elif is_empty and mark:
        canvas.put(x, y, "•" if mark == TARGET else "" if mark == CURSOR else "×", ink.heavy, ground)
    elif is_empty:
        return
    elif size[1] < 3:
        draw_piece(canvas, ink, cell, (x, y, 1, 1))
    else:
        draw_piece(canvas, ink, cell, (x - 3, y - 1, 7, 3))
    draw_brackets(canvas, ink, mark, (x - 1, y, 3, 1))
    if mark and is_disc(cell, ink) and size[1] > 1:  # the disc covers the background, which shows the mark
        canvas.put(x, y, "•", ink.palette.mark if not ink.has_few else None, ink.side(cell.owner or 0), bold=True)
    elif mark and not ink.needs_brackets:
        canvas.fill(x - (size[1] > 1), y, 1 + 2 * (size[1] > 1), 1, ground)
