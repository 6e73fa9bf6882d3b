"""Boards of hexagons: a honeycomb of lines if the terminal is large enough, otherwise rows of characters."""

from gamesearch.render.boards.canvas import Canvas, draw_brackets, draw_piece, margin_of
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import Board, Place

__all__ = ["SIZES", "draw_hexagons", "outline"]

SIZES = ((4, 2), (2, 1))
"""The possible horizontal and vertical distances between the middles of hexagons, the largest first."""


def draw_hexagons(board: Board, ink: Ink, size: tuple[int, int]) -> Canvas:
    """Draw a board with hexagons of the given size."""
    across, down = size
    half, margin = across // 2, margin_of(board)
    shifts = list(board.shifts) or [0] * len(board.rows)
    ends = [shifts[row] + 2 * column + 2 for row, column in board.places()]
    below = 2 * shifts[-1] - shifts[-2] if len(shifts) > 1 else shifts[-1]
    width = margin + half * max([*ends, below + 2 * len(board.column_labels)]) + 3
    canvas = Canvas(width, len(board.rows) * down + (down - 1) + bool(board.column_labels))

    def corner(place: Place) -> tuple[int, int]:
        """The middle of the left wall of a cell."""
        return margin + half * (shifts[place[0]] + 2 * place[1]), place[0] * down + down - 1

    for place in board.places():
        x, y = corner(place)
        canvas.fill(x, y - down + 1, across + 1, 2 * down - 1, ink.board)
    for place in board.places():
        x, y = corner(place)
        cell, mark = board.cell(place), board.mark(place)
        canvas.boxes[place] = (x + down - 1, y, 3 if down > 1 else 2, 1)
        box = (x + 1, y, 3 if down > 1 else 1, 1)
        if down > 1:
            draw_walls(canvas, board, ink, place, (x, y))
        canvas.fill(*box, ink.ground(cell, mark))
        draw_piece(canvas, ink, cell, box, mark)
        if down == 1:
            if cell.owner is None and not mark and cell.text == ".":
                canvas.put(x + 1, y, "·", ink.line)
            for at, wall in ((x, 3), (x + 2, 1)):
                owner = outline(board, place)[wall]
                if owner is not None:
                    canvas.put(at, y, "▌" if wall == 3 else "▐", ink.side(owner))
        draw_brackets(canvas, ink, mark, (x + (down > 1), y, 3, 1))
    for row, label in enumerate(board.row_labels[: len(board.rows)]):
        first = next((column for column, cell in enumerate(board.rows[row]) if not cell.absent), 0)
        x, y = corner((row, first))
        canvas.put(x - len(label) - (half > 1), y, label)
    for column, label in enumerate(board.column_labels):
        canvas.put(margin + half * (below + 2 * column) + half, canvas.height - 1, label)
    return canvas


def outline(board: Board, place: Place) -> tuple[int | None, int | None, int | None, int | None]:
    """The owners of the edges that the cell at `place` touches: top, right, bottom and left. The owner is None if the
    cell does not touch an edge."""
    row, column = place
    cells = board.rows[row]
    is_first = column == 0 or cells[column - 1].absent
    is_last = column == len(cells) - 1 or cells[column + 1].absent
    at = (row == 0, is_last, row == len(board.rows) - 1, is_first)
    top, right, bottom, left = (owner if is_at else None for owner, is_at in zip(board.edges, at, strict=True))
    return top, right, bottom, left


def draw_walls(canvas: Canvas, board: Board, ink: Ink, place: Place, at: tuple[int, int]) -> None:
    """Draw the six walls of a cell. Walls at an edge of the board have the color of the edge's owner."""
    x, y = at
    top, right, bottom, left = outline(board, place)
    for wall_x, wall_y, text, owner in (
        (x, y, "│", left),
        (x + 4, y, "│", right),
        (x + 1, y - 1, "╱", top),
        (x + 3, y - 1, "╲", top if top is not None else right),
        (x + 1, y + 1, "╲", bottom if bottom is not None else left),
        (x + 3, y + 1, "╱", bottom),
    ):
        if 0 <= wall_y < canvas.height and (owner is not None or canvas.spots[wall_y][wall_x].text == " "):
            fore = ink.line if owner is None else ink.side(owner)
            canvas.put(wall_x, wall_y, text, fore, bold=owner is not None)
