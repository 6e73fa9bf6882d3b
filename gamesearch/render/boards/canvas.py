"""A canvas of colored characters, on which boards are drawn. Lines that meet are joined."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import CHOSEN, CURSOR, STICK, TAKEN, TARGET, WON, Board, Cell, Palette, Place

__all__ = [
    "BRACKETS", "DOWN", "LEFT", "RIGHT", "UP", "Box", "Canvas", "Drawing", "cell_text", "draw_brackets", "draw_piece",
    "is_disc", "label_columns", "label_of", "label_rows", "legend", "margin_of",
]  # fmt: skip

Box = tuple[int, int, int, int]
"""A rectangle of characters: x and y of its top left corner, its width and its height."""

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
"""A line character consists of lines that go from its center in some of these directions. For example, UP + RIGHT
stands for the corner └."""
LIGHT = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""The line characters. The index of each character is the sum of the directions of its lines."""
HEAVY = {
    (UP | DOWN, UP): "┃", (LEFT | RIGHT, LEFT): "━", (UP | DOWN | LEFT | RIGHT, LEFT): "┿",
    (UP | DOWN | LEFT | RIGHT, UP): "╂", (UP | DOWN | LEFT | RIGHT, UP | LEFT): "╋",
}  # fmt: skip
"""The characters that contain heavy lines. The first number of a key is the sum of the directions of all lines. The
second says which of them are heavy: UP stands for the vertical lines, LEFT for the horizontal lines, and UP | LEFT for
both."""


@dataclass
class Drawing:
    """A board drawn as lines of text. `boxes` contains the place and the size of each cell in the drawing."""

    lines: list[Text]
    boxes: dict[Place, Box]

    @property
    def width(self) -> int:
        """The width of the longest line."""
        return max((line.cell_len for line in self.lines), default=0)

    def place_at(self, x: int, y: int) -> Place | None:
        """The cell at a column and a line of the drawing; None if no cell is there. If cells overlap at this place, the
        result is the cell whose middle is nearest."""

        def distance(place: Place) -> float:
            left, top, width, height = self.boxes[place]
            return abs(x - left - (width - 1) / 2) + 2 * abs(y - top - (height - 1) / 2)

        at = [
            place
            for place, (left, top, width, height) in self.boxes.items()
            if left <= x < left + width and top <= y < top + height
        ]
        return min(at, key=distance, default=None)


@dataclass
class Character:
    """One character of a canvas."""

    text: str = " "
    fore: str | None = None
    ground: str | None = None
    bold: bool = False
    ways: int = 0
    heavy: int = 0


class Canvas:
    """Rows of colored characters. If a character is drawn over another character, the background color normally
    stays."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.spots = [[Character() for _ in range(width)] for _ in range(height)]
        self.boxes: dict[Place, Box] = {}
        """For each cell of the board, the box in which it is drawn."""

    def fill(self, x: int, y: int, width: int, height: int, ground: str | None) -> None:
        """Set the background color of a rectangle."""
        for row in self.spots[max(0, y) : y + height]:
            for spot in row[max(0, x) : x + width]:
                spot.ground = ground

    def put(
        self, x: int, y: int, text: str, fore: str | None = None, ground: str | None = None, *, bold: bool = False
    ) -> None:
        """Write a text. If `ground` is None, the background color stays. A wide character takes two columns."""
        for character in text:
            if 0 <= y < self.height and 0 <= x < self.width:
                spot = self.spots[y][x]
                spot.text, spot.fore, spot.bold, spot.ways, spot.heavy = character, fore, bold, 0, 0
                spot.ground = spot.ground if ground is None else ground
            if cell_len(character) == 2 and x + 1 < self.width:
                self.spots[y][x + 1].text = ""
            x += max(1, cell_len(character))

    def center(self, x: int, y: int, width: int, text: str, fore: str | None, *, bold: bool = False) -> None:
        """Write a text in the middle of `width` columns that begin at column x."""
        self.put(x + (width - cell_len(text)) // 2, y, text, fore, bold=bold)

    def line(
        self,
        start: tuple[int, int],
        end: tuple[int, int],
        fore: str | None,
        *,
        heavy: bool = False,
        goes_on: bool = False,
    ) -> None:
        """Draw a horizontal or vertical line from one place (x, y) to another; lines that meet are joined.

        Normally, the line reaches from the middle of its first character to the middle of its last character. If
        `goes_on` is true, the line reaches to the outer ends of these two characters.
        """
        (x, y), (last_x, last_y) = sorted((start, end))
        across = last_x > x
        for at in range(last_x - x + 1 if across else last_y - y + 1):
            last = at == (last_x - x if across else last_y - y)
            before, behind = at > 0 or goes_on, not last or goes_on
            ways = (LEFT * before | RIGHT * behind) if across else (UP * before | DOWN * behind)
            spot = self.spots[y if across else y + at][x + at if across else x]
            spot.ways |= ways
            spot.heavy |= (LEFT if across else UP) * heavy
            spot.text, spot.fore = HEAVY.get((spot.ways, spot.heavy), LIGHT[spot.ways]), fore

    def disc(self, x: int, y: int, width: int, height: int, fore: str | None) -> None:
        """Draw a disc in a box. If the box has one row, the disc is a glyph; otherwise it is built from half-height
        characters."""
        if height == 1:
            self.put(x + width // 2, y, "●", fore)
            return
        radius = min(width, 2 * height) / 2 - (0.6 if height > 2 else 0.1)
        for row in range(height):
            for column in range(width):
                upper, lower = (
                    (column + 0.5 - width / 2) ** 2 + (2 * row + half + 0.5 - height) ** 2 <= radius**2
                    for half in (0, 1)
                )
                if upper or lower:
                    self.put(x + column, y + row, "█" if upper and lower else "▀" if upper else "▄", fore)

    def texts(self) -> list[Text]:
        """The rows as Rich texts, without trailing spaces."""
        found = []
        for row in self.spots:
            last = max((x for x, spot in enumerate(row) if spot.text not in (" ", "") or spot.ground), default=-1)
            styled = (
                (spot.text, Style(color=spot.fore, bgcolor=spot.ground, bold=spot.bold or None))
                for spot in row[: last + 1]
            )
            found.append(Text.assemble(*styled, no_wrap=True))
        return found


def margin_of(board: Board) -> int:
    """The width of the labels of the rows, including a space after them."""
    return max((len(label) + 1 for label in board.row_labels), default=0)


def label_rows(canvas: Canvas, board: Board, lines: list[int]) -> None:
    """Write each row's label to the left of the row."""
    margin = margin_of(board)
    for label, y in zip(board.row_labels, lines, strict=False):
        canvas.put(margin - 1 - len(label), y, label)


def label_columns(canvas: Canvas, labels: Sequence[str], middles: list[int], y: int) -> None:
    """Write the labels of columns, each centered at the middle of its column."""
    for label, x in zip(labels, middles, strict=False):
        canvas.put(x - (len(label) - 1) // 2, y, label)


# Pieces: discs, crosses and rings, glyphs and letters, each in a box of characters. ---------------
LARGE = {"X": ("╲ ╱", " ╳ ", "╱ ╲"), "O": ("╭─╮", "│ │", "╰─╯"), STICK: ("╻", "┃", "╹")}
"""Texts that are drawn as crosses, rings and sticks if a cell is large enough."""
BRACKETS = {WON: ("*", "*"), CHOSEN: ("<", ">"), TARGET: ("(", ")"), CURSOR: (">", "<")}
"""The characters that are drawn around a marked cell. All other kinds of marks are drawn as square brackets."""


def is_disc(cell: Cell, ink: Ink) -> bool:
    """Whether a cell has a disc. On a console without colors, pieces are letters, which distinguish the sides."""
    return cell.owner is not None and ink.palette.discs and ink.has_colors


def label_of(cell: Cell, palette: Palette) -> str:
    """The text that is written on a disc."""
    return cell.label or (cell.text if palette.letters else "")


def cell_text(cell: Cell, ink: Ink) -> str:
    """The text of a cell for a console that can show special characters."""
    return cell.glyph or {".": " " if ink.has_colors else "·"}.get(cell.text, cell.text)


def draw_piece(canvas: Canvas, ink: Ink, cell: Cell, box: tuple[int, int, int, int], mark: str = "") -> None:
    """Draw the contents of a cell into a box (x and y of the top left corner, width, height)."""
    x, y, width, height = box
    middle = y + height // 2
    if is_disc(cell, ink):
        assert cell.owner is not None
        canvas.disc(x, y, width, height, ink.side(cell.owner))
        if label := label_of(cell, ink.palette):
            left = x + width // 2 - len(label) // 2
            canvas.put(left, middle, label, ink.on_side(cell.owner), ink.side(cell.owner), bold=True)
    elif height > 2 and cell.text in LARGE and (cell.owner is not None or cell.text == STICK) and not cell.glyph:
        for row, text in enumerate(LARGE[cell.text]):
            canvas.center(x, middle - 1 + row, width, text, ink.fore(cell), bold=True)
    elif mark == TARGET and cell.owner is None:
        canvas.center(x, middle, width, "•", ink.plain, bold=True)
    elif mark == TAKEN and cell.owner is None and ink.has_colors:
        canvas.center(x, middle, width, "×", ink.fore(Cell(dark=cell.dark, faint=True)))
    else:
        canvas.center(x, middle, width, cell_text(cell, ink), ink.fore(cell), bold=cell.owner is not None)


def draw_brackets(canvas: Canvas, ink: Ink, mark: str, box: tuple[int, int, int, int]) -> None:
    """Draw brackets around a marked cell if colors do not show the mark. The cursor always has brackets. A cell of a
    winning line has stars instead of brackets."""
    if mark and (ink.needs_brackets or mark == CURSOR):
        x, y, width, height = box
        left, right = BRACKETS.get(mark, ("[", "]"))
        canvas.put(x, y + height // 2, left, ink.plain, bold=mark == CURSOR)
        canvas.put(x + width - 1, y + height // 2, right, ink.plain, bold=mark == CURSOR)


def legend(board: Board, ink: Ink) -> Canvas | None:
    """A legend with the color of each player's discs; None if letters show the players."""
    owners = {cell.owner for row in board.rows for cell in row if cell.owner is not None}
    if not ink.palette.discs or not ink.has_colors or not owners or not board.sides:
        return None
    canvas = Canvas(sum(cell_len(name) + 6 for name in board.sides), 1)
    x = 0
    for owner, name in enumerate(board.sides):
        canvas.fill(x, 0, 3, 1, ink.board)
        canvas.put(x + 1, 0, "●", ink.side(owner))
        canvas.put(x + 4, 0, name)
        x += cell_len(name) + 6
    return canvas
