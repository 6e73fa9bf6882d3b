"""Pieces in a terminal: discs, crosses and rings, glyphs and letters, each in a box of characters."""

from rich.cells import cell_len

from gamesearch.render.boards.canvas import Canvas
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import CHOSEN, CURSOR, TAKEN, TARGET, WON, Board, Cell, Palette

__all__ = ["BRACKETS", "cell_text", "draw_brackets", "draw_piece", "is_disc", "label_of", "legend"]

SOLID = dict(zip("♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True))
"""For each outlined symbol, the solid symbol that replaces it if its color shows the owner."""
LARGE = {"X": ("╲ ╱", " ╳ ", "╱ ╲"), "O": ("╭─╮", "│ │", "╰─╯")}
"""Letters that are drawn as crosses and rings if a cell is large enough."""
BRACKETS = {WON: ("*", "*"), CHOSEN: ("<", ">"), TARGET: ("(", ")"), CURSOR: (">", "<")}
"""For each kind of mark, the characters around a marked cell. Other kinds of marks have square brackets."""


def is_disc(cell: Cell, ink: Ink) -> bool:
    """Whether a cell has a piece that is drawn as a disc. On a console without colors, pieces are letters, which
    distinguish the sides."""
    return cell.owner is not None and ink.palette.discs and ink.has_colors


def label_of(cell: Cell, palette: Palette) -> str:
    """The text that is written on a disc."""
    return cell.label or (cell.text if palette.letters else "")


def cell_text(cell: Cell, ink: Ink) -> str:
    """The text of a cell on a console that can show special characters."""
    if cell.glyph and cell.owner is not None and ink.has_colors:
        return SOLID.get(cell.glyph, cell.glyph)
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
    elif height > 2 and cell.text in LARGE and cell.owner is not None and not cell.glyph:
        for row, text in enumerate(LARGE[cell.text]):
            canvas.center(x, middle - 1 + row, width, text, ink.fore(cell), bold=True)
    elif mark == TARGET and cell.owner is None:
        canvas.center(x, middle, width, "•", ink.plain, bold=True)
    elif mark == TAKEN and cell.owner is None and ink.has_colors:
        canvas.center(x, middle, width, "×", ink.fore(Cell(dark=cell.dark, faint=True)))
    else:
        canvas.center(x, middle, width, cell_text(cell, ink), ink.fore(cell), bold=cell.owner is not None)


def draw_brackets(canvas: Canvas, ink: Ink, mark: str, box: tuple[int, int, int, int]) -> None:
    """Draw brackets around a marked cell if colors do not show the mark, and always around the cell with the cursor. A
    cell of a winning line has stars instead of brackets."""
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
