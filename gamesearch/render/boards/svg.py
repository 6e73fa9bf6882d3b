"""The board of a position as an SVG image, for web pages, notebooks and papers."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gamesearch.render.boards.canvas import label_of
from gamesearch.render.boards.colors import mix_colors, text_on
from gamesearch.render.boards.crossings import all_lines, is_star
from gamesearch.render.boards.hexagons import outline
from gamesearch.render.boards.ink import SOLID
from gamesearch.render.boards.points import count_faint_cells, inwards, tip_of
from gamesearch.render.boards.squares import lines_between
from gamesearch.render.formats.svg import image, line, text
from gamesearch.toolkit.boards import LAST, STICK, TAKEN, WON, Board, Cell, Place

__all__ = ["board_svg", "draw_board_parts", "scaled_board", "unlabeled_size"]

UNIT = 40.0
"""The width of a cell."""
MARGIN = 26.0
"""The width of the margin on a side with labels."""
EDGE = 4.0
"""The width of the margin on a side without labels."""
SLANT = 0.866
"""The distance between rows of hexagons, divided by the width of a hexagon."""
NOTE = 19.0
"""The height of a line of text."""
STYLE = (
    "text { font-family: system-ui, sans-serif; text-anchor: middle; dominant-baseline: central }\n"
    ".label { font-size: 13px; fill: #7d7f85 } .note { font-size: 13px; fill: #7d7f85; text-anchor: start }\n"
    ".mono { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; white-space: pre }\n"
    ".piece { font-family: 'DejaVu Sans', 'Noto Sans Symbols 2', 'Segoe UI Symbol', system-ui, sans-serif }"
)
"""The style sheet. Texts outside the board are readable on white and on black."""

SPACES = ' xml:space="preserve"'
"""The attribute that keeps successive spaces in a text. Programs that do not know the style `white-space` need this
attribute."""
POINT_WIDTH = 0.94


def board_svg(board: Board, title: str = "board") -> str:
    """An SVG image of the board."""
    width, height, parts = draw_board_parts(board)
    return image((width, height), title, STYLE, parts)


def draw_board_parts(board: Board) -> tuple[float, float, list[str]]:
    """Draw the board, its labels and its notes; returns the width, the height and the SVG parts."""
    if not board.rows:
        return draw_notes(board.notes, 0.0, 0.0)
    picture = Picture(board)
    legend = picture.legend()
    height = picture.height + (NOTE + 6 if legend else 0)
    width, below, notes = draw_notes(board.notes, picture.left, height)
    parts = [*picture.ground(), *picture.cells(), *picture.labels(), *legend, *notes]
    return max(picture.width, width), max(height, below), parts


def scaled_board(board: Board, width: float) -> str:
    """The drawing of a board without labels, scaled to a width, with the top left corner at (0, 0)."""
    drawn_width, _, parts = draw_board_parts(board)
    scale = width / (drawn_width - 2 * EDGE)
    return f'<g transform="translate({-EDGE * scale:.2f} {-EDGE * scale:.2f}) scale({scale:.4f})">{"".join(parts)}</g>'


def unlabeled_size(board: Board) -> tuple[float, float]:
    """The width and the height of a board that is drawn without labels, measured in cells."""
    picture = Picture(board)
    return picture.across, picture.down


def draw_notes(notes: Sequence[str], x: float, y: float) -> tuple[float, float, list[str]]:
    """Draw lines of text whose top left corner is (x, y); returns the right end, the lower end, and the SVG parts."""
    parts = [text(x + 2, y + NOTE * (i + 0.5), note, "note mono", SPACES) for i, note in enumerate(notes)]
    return x + 8.2 * max(map(len, notes), default=0) + 4, y + NOTE * len(notes) + (4 if notes else 0), parts


class Picture:
    """Computes the geometry of one board, and yields the SVG elements of its drawing."""

    def __init__(self, board: Board) -> None:
        self.board, self.palette = board, board.palette
        self.layout = board.palette.layout
        self.left = MARGIN + 6 * max(0, max(map(len, board.row_labels), default=0) - 2) if board.row_labels else EDGE
        self.top = MARGIN if board.top_labels else EDGE
        down = SLANT if self.layout == "hexagons" else 1.0
        used = max((2 * c + 2 + (board.shifts[r] if board.shifts else 0) for r, c in board.places()), default=1) / 2
        self.across = used if any(board.shifts) else float(max(map(len, board.rows)))
        self.down = len(board.rows) * down + (0.29 if self.layout == "hexagons" else 0)
        self.width = self.left + self.across * UNIT + 4
        self.height = self.top + self.down * UNIT + (MARGIN if board.column_labels else EDGE)
        self.fill = {False: self.palette.board, True: self.palette.dark}

    def center(self, place: Place) -> tuple[float, float]:
        """The middle of a cell."""
        row, column = place
        shift = self.board.shifts[row] / 2 if self.board.shifts else 0.0
        if self.layout == "hexagons":
            return self.left + (column + 0.5 + shift) * UNIT, self.top + (row * SLANT + 0.5774) * UNIT
        return self.left + (column + 0.5) * UNIT, self.top + (row + 0.5) * UNIT

    # The ground below the pieces. ----------------------------------------------------------------
    def ground(self) -> Iterator[str]:
        """The background of the board."""
        x, y, width, height = self.left, self.top, self.across * UNIT, self.down * UNIT
        board, line = self.board, self.palette.line
        if self.layout in ("holes", "crossings", "points") or (self.layout == "cells" and line):
            yield rectangle(x, y, width, height, self.palette.board, f' rx="{10 if self.layout == "holes" else 3}"')
        if self.layout == "crossings":
            for start, end in all_lines(board) if board.lines is None else board.lines:
                yield stroke(self.center(start), self.center(end), line, 1.4 if board.lines is None else 2.4)
            for place in board.places():
                if is_star(board.cell(place)) and not board.cell(place).glyph:
                    yield circle(self.center(place), 3.4, line)
        for place in board.places():
            yield from self.cell_ground(place)
        is_heap = any(cell.absent or cell.text == STICK for row in board.rows for cell in row)  # as in Nim
        if self.layout == "cells" and line and not is_heap:
            yield from self.grid(line)

    def grid(self, line: str) -> Iterator[str]:
        """The lines between cells."""
        heavy = mix_colors(line, text_on(self.palette.board), 0.6)
        width, height = len(self.board.rows[0]) * UNIT, len(self.board.rows) * UNIT
        for is_heavy, is_upright, number in lines_between(self.board):
            x, y = (number * UNIT, 0) if is_upright else (0, number * UNIT)
            end = (self.left + x, self.top + height) if is_upright else (self.left + width, self.top + y)
            yield stroke((self.left + x, self.top + y), end, *((heavy, 3.2) if is_heavy else (line, 1.6)))

    def cell_ground(self, place: Place) -> Iterator[str]:
        """Draw the square, the hexagon or the hole of a cell. If the cell has a mark, its color changes."""
        cell, mark = self.board.cell(place), self.board.mark(place)
        x, y = self.center(place)
        color = self.color_of_mark(self.fill[cell.dark], cell, mark)
        if self.layout == "hexagons":
            yield self.hexagon(place, color)
        elif self.layout == "cells":
            yield rectangle(x - UNIT / 2, y - UNIT / 2, UNIT, UNIT, color)
        elif self.layout == "holes":
            yield circle((x, y), 0.4 * UNIT, self.color_of_mark(self.palette.dark, cell, mark))
        elif self.layout == "points" and tip_of(self.board, place) == 0:
            yield self.point(place)
        elif self.layout == "points" and cell.text == STICK:
            ground = mix_colors(self.palette.board, "#000000", 0.25)
            yield rectangle(x - UNIT / 2, y - UNIT / 2, UNIT, UNIT + 0.5, ground)
        elif self.layout == "crossings" and cell.tint is not None:
            yield rectangle(x - UNIT + 4, y - UNIT + 4, 2 * UNIT - 8, 2 * UNIT - 8, color, ' rx="3"')

    def color_of_mark(self, color: str, cell: Cell, mark: str) -> str:
        """The background color of a cell, which depends on its mark and its owner."""
        if cell.tint is not None:
            color = mix_colors(color, self.palette.sides[cell.tint % len(self.palette.sides)], 0.45)
        return mix_colors(color, self.palette.mark, {LAST: 0.55, WON: 0.9, TAKEN: 0.25}[mark]) if mark else color

    def hexagon(self, place: Place, color: str) -> str:
        """A hexagonal cell. If a side of the cell is at an edge of the board, the side is thick, in the color of the
        edge's owner."""
        x, y = self.center(place)
        radius = UNIT * 0.5774
        corners = [(x, y - radius), (x + UNIT / 2, y - radius / 2), (x + UNIT / 2, y + radius / 2)]
        corners += [(x, y + radius), (x - UNIT / 2, y + radius / 2), (x - UNIT / 2, y - radius / 2)]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        parts = [f'<polygon points="{points}" fill="{color}" stroke="{self.palette.line}" stroke-width="1.3"/>']
        top, right, bottom, left = outline(self.board, place)
        owners = (right if top is None else top, right, bottom, left if bottom is None else bottom, left, top)
        parts += [
            stroke(*wall, self.palette.sides[owner % len(self.palette.sides)], 5.0)
            for wall, owner in zip(pairwise([*corners, corners[0]]), owners, strict=True)
            if owner is not None
        ]
        return "".join(parts)

    def point(self, place: Place) -> str:
        """The triangle of a point. It is drawn together with the cell at its tip."""
        column, towards = place[1], inwards(self.board, place)
        edge = place[0] - towards * count_faint_cells(self.board, place, -towards)
        x, y = self.center((edge, column))
        base, tip = y - towards * UNIT / 2, self.center(place)[1] + towards * UNIT * 0.3
        half = POINT_WIDTH * UNIT / 2
        color = self.palette.dark if self.board.cell(place).dark else self.palette.line
        return f'<polygon points="{x - half:.1f},{base:.1f} {x + half:.1f},{base:.1f} {x:.1f},{tip:.1f}" fill="{color}"/>'  # noqa: E501  # fmt: skip

    # Pieces and texts. ---------------------------------------------------------------------------
    def cells(self) -> Iterator[str]:
        """The contents of the cells."""
        for place in self.board.places():
            cell, mark = self.board.cell(place), self.board.mark(place)
            at = self.center(place)
            if cell.owner is not None and self.palette.discs:
                yield from self.disc(at, cell, mark)
            elif mark == TAKEN:
                yield cross(at, 0.16 * UNIT, mix_colors(self.fill[cell.dark], text_on(self.fill[cell.dark]), 0.6), 2.5)
            elif self.layout == "crossings" and cell.glyph:
                yield circle(at, 4.6, self.palette.line)
            elif cell.glyph or not (cell.text in (".", " ", "+") or (cell.text == STICK and self.layout == "points")):
                yield from self.letters(at, cell, mark)
            elif cell.text == "+" and self.layout != "crossings":
                yield circle(at, 0.1 * UNIT, mix_colors(self.fill[cell.dark], text_on(self.fill[cell.dark]), 0.4))

    def disc(self, at: tuple[float, float], cell: Cell, mark: str) -> Iterator[str]:
        """A piece that is a disc, and the text on the disc. If the background of the cell cannot show the mark of the
        cell, the disc gets a ring."""
        assert cell.owner is not None
        side = self.palette.sides[cell.owner % len(self.palette.sides)]
        size = {"crossings": 0.46, "points": 0.46, "hexagons": 0.36}.get(self.layout, 0.4) * UNIT
        yield circle(at, size - 0.6, side, f' stroke="{mix_colors(side, text_on(side), 0.35)}" stroke-width="1.2"')
        if mark and self.layout not in ("cells", "hexagons"):
            yield circle(at, size * 0.55, "none", f' stroke="{self.palette.mark}" stroke-width="{4 if mark == WON else 3}"')  # noqa: E501  # fmt: skip
        if written := label_of(cell, self.palette):
            yield label(at, written, 17, text_on(side))

    def letters(self, at: tuple[float, float], cell: Cell, mark: str) -> Iterator[str]:
        """A letter or a symbol as text; crosses and noughts are drawn as lines and circles. The crosses and noughts of
        a winning line are black or white, because the sides' own colors hardly stand out from the color of the mark."""
        ground = self.palette.dark if cell.dark or self.layout == "holes" else self.palette.board
        tinted = cell.tint is not None and cell.tint == cell.owner
        strength = 0.45 if cell.faint and cell.owner is None else 1.0
        color = mix_colors(ground, text_on(ground), strength)
        if cell.owner is not None and not (tinted and self.layout == "crossings"):
            color = self.palette.sides[cell.owner % len(self.palette.sides)]
            color = text_on(self.palette.mark) if mark == WON and not cell.glyph else color
        if cell.owner is not None and cell.text == "X" and not cell.glyph:
            yield cross(at, 0.26 * UNIT, color, 5.0)
        elif cell.text == STICK and not cell.glyph:
            yield stroke((at[0], at[1] - 0.32 * UNIT), (at[0], at[1] + 0.32 * UNIT), color, 5.0)
        elif cell.owner is not None and cell.text == "O" and not cell.glyph:
            yield circle(at, 0.28 * UNIT, "none", f' stroke="{color}" stroke-width="5"')
        else:
            glyph = SOLID.get(cell.glyph, cell.glyph) if cell.owner is not None else cell.glyph
            size = 32 if glyph and cell.owner is not None else 13 if cell.faint else 19
            outline = f' stroke="{text_on(color)}" stroke-width="1.8" paint-order="stroke"'
            yield label(at, glyph or cell.text, size, color, outline if glyph and cell.owner is not None else "")

    def labels(self) -> Iterator[str]:
        """The labels next to, below and above the board."""
        board = self.board
        for row, words in enumerate(board.row_labels[: len(board.rows)]):
            first = next((c for c, cell in enumerate(board.rows[row]) if not cell.absent), 0)
            x, y = self.center((row, first)) if board.shifts else (self.left + UNIT / 2, self.center((row, 0))[1])
            yield label((x - UNIT / 2 - MARGIN / 2 - 3 * max(0, len(words) - 2), y), words.strip(), 13, "#7d7f85")
        last = len(board.rows) - 1
        slant = (board.shifts[-1] - board.shifts[-2]) / 2 * UNIT if len(board.shifts) > 1 else 0
        for column, words in enumerate(board.column_labels):
            x = self.center((last, column))[0] + slant * 0.75
            yield label((x, self.top + self.down * UNIT + MARGIN / 2), words, 13, "#7d7f85")
        for column, words in enumerate(board.top_labels):
            yield label((self.center((0, column))[0], MARGIN / 2), words, 13, "#7d7f85")

    def legend(self) -> list[str]:
        """A legend: for each player, the color of the discs and the player's name."""
        owners = {cell.owner for row in self.board.rows for cell in row if cell.owner is not None}
        if not self.palette.discs or not owners:
            return []
        parts, x, y = [], self.left + 10, self.height + NOTE / 2
        for owner, name in enumerate(self.board.sides):
            side = self.palette.sides[owner % len(self.palette.sides)]
            parts += [circle((x, y), 7, side, ' stroke="#7d7f85"'), text(x + 12, y, name, "note")]
            x += 30 + 8 * len(name)
        return parts


def rectangle(x: float, y: float, width: float, height: float, color: str, more: str = "") -> str:
    """A filled rectangle."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{color}"{more}/>'


def circle(at: tuple[float, float], radius: float, color: str, more: str = "") -> str:
    """A disc. If `color` is `none`, only the outline is drawn; `more` contains its attributes."""
    return f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius:.1f}" fill="{color}"{more}/>'


def stroke(start: tuple[float, float], end: tuple[float, float], color: str, width: float) -> str:
    """A line."""
    return line(start, end, more=f' stroke="{color}" stroke-width="{width}" stroke-linecap="round"')


def cross(at: tuple[float, float], size: float, color: str, width: float) -> str:
    """A cross: two diagonal lines through a place."""
    x, y = at
    return stroke((x - size, y - size), (x + size, y + size), color, width) + stroke(
        (x - size, y + size), (x + size, y - size), color, width
    )


def label(at: tuple[float, float], words: str, size: float, color: str, more: str = "") -> str:
    """An SVG text, centered at a point."""
    return text(*at, words, "piece" if size > 30 else "words", f' font-size="{size}" fill="{color}"{more}')
