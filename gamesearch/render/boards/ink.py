"""The colors in which a console shows a board. These colors depend on the palette of the game."""

from rich.console import Console

from gamesearch.render.boards.colors import luminance, mix_colors, nearest_color, text_on, with_luminance
from gamesearch.toolkit.boards import CHOSEN, CURSOR, LAST, TAKEN, TARGET, WON, Board, Cell

__all__ = ["SOLID", "Ink"]

SOLID = dict(zip("♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True))
"""Maps the outlined symbol of each piece, which Unicode calls white, to the solid symbol, which Unicode calls black."""
WHITE = 0.6
"""Pieces with at least this luminance count as white."""
LEAST_CONTRAST = 2.5
"""The least contrast between white pieces and the board. Pieces have no outline in a terminal."""
DARK_GROUNDS = ("red", "green", "yellow", "blue", "magenta", "cyan", "white", "bright_black", "black")
"""If a console has only 16 colors, the background of pieces has one of these colors."""
BRIGHT = (
    "black", "bright_white", "bright_red", "bright_yellow", "bright_cyan", "bright_green", "bright_magenta",
    "bright_blue",
)  # fmt: skip
"""The colors of the sides on consoles with 16 colors."""
STRENGTH = {LAST: 0.5, WON: 0.9, TAKEN: 0.25, CHOSEN: 0.9, TARGET: 0.3, CURSOR: 0.7}
"""For each kind of mark, how strongly it colors a cell: 0 keeps the color of the cell, and 1 replaces it."""


class Ink:
    """The colors of a board on a console. Each color is a name or #rrggbb, or None if the console shows no colors.

    Outlined and solid symbols such as ♔ and ♚ are all black, as in printed diagrams of chess.
    """

    board: str | None = None
    dark: str | None = None
    line: str | None = None
    heavy: str | None = None
    faint: str | None = None
    plain: str | None = None

    def __init__(self, board: Board, console: Console) -> None:
        system = None if console.no_color else console.color_system
        self.palette, self.has_colors = board.palette, system is not None
        self.has_symbols = any(is_symbol(cell) for row in board.rows for cell in row)
        self.has_few = system in ("standard", "windows")
        self.needs_brackets = not self.has_colors or self.has_few
        self.sides: tuple[str | None, ...] = (None,)
        if self.has_few:
            self.choose_of_sixteen()
        elif self.has_colors:
            self.choose()

    def choose(self) -> None:
        """Choose the colors of the palette. Darken the backgrounds if white pieces would have too little contrast."""
        palette = self.palette
        most = max(luminance(palette.board), luminance(palette.dark))
        white = [side for side in map(luminance, palette.sides) if side > WHITE and not self.has_symbols]
        brightest = min([most, *((side + 0.05) / LEAST_CONTRAST - 0.05 for side in white)])
        scale = brightest / most if most else 1
        self.board = with_luminance(palette.board, luminance(palette.board) * scale)
        self.dark = with_luminance(palette.dark, luminance(palette.dark) * scale)
        self.mark_ground = with_luminance(palette.mark, max(brightest, 0.2))
        self.line = palette.line or mix_colors(self.board, text_on(self.board), 0.35)
        self.heavy = mix_colors(self.line, text_on(self.board), 0.6)
        self.faint = mix_colors(self.board, text_on(self.board), 0.55)
        self.plain = text_on(self.board)
        self.sides = palette.sides

    def choose_of_sixteen(self) -> None:
        """Replace each color by the nearest of sixteen colors, so that all sides and backgrounds differ."""
        palette = self.palette
        sides: list[str] = []
        for color in palette.sides:
            sides.append(nearest_color(color, [name for name in BRIGHT if name not in sides]))
        kin = {name.removeprefix("bright_") for name in sides}
        grounds = [name for name in DARK_GROUNDS if name not in kin]
        self.board = nearest_color(palette.board, grounds)
        self.dark = nearest_color(palette.dark, [name for name in grounds if name != self.board])
        self.mark_ground = self.board
        self.sides = tuple(sides)
        readable = [name for name in ("black", "white", "bright_white") if name not in (self.board, self.dark, *sides)]
        self.line = self.faint = self.heavy = readable[0]
        self.plain = "black" if "white" in (self.board, self.dark) else "bright_white"

    def side(self, owner: int) -> str | None:
        """The color of a player's pieces."""
        return self.sides[owner % len(self.sides)]

    def ground(self, cell: Cell, mark: str = "") -> str | None:
        """The background color of a cell."""
        if cell.tint is not None and self.has_few:
            return self.side(cell.tint)
        ground = self.dark if cell.dark else self.board
        if self.has_few or ground is None:
            return ground
        if cell.tint is not None:
            ground = mix_colors(ground, self.side(cell.tint) or ground, 0.45)
        return mix_colors(ground, self.mark_ground, STRENGTH[mark]) if mark else ground

    def fore(self, cell: Cell) -> str | None:
        """The color of the text of a cell."""
        if cell.owner is not None and cell.owner != cell.tint and (self.has_few or not is_symbol(cell)):
            return self.side(cell.owner)
        if not self.has_colors or self.has_few:
            return self.faint if cell.faint else self.plain
        ground = self.ground(cell) or ""
        return mix_colors(ground, text_on(ground), 0.5 if cell.faint else 1)

    def on_side(self, owner: int) -> str | None:
        """The color of a text on a player's disc."""
        side = self.side(owner)
        if self.has_few:
            return "bright_white" if side == "black" else "black"
        return text_on(side) if side else None


def is_symbol(cell: Cell) -> bool:
    """Whether the symbol in a cell shows its owner. Symbols of one player are outlined, and symbols of the other are
    solid."""
    return cell.glyph in SOLID or cell.glyph in SOLID.values()
