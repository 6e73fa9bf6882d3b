"""A position as a Rich renderable.

The sides differ by their marks; colour only adds to it. Foreground and background are set together,
so that a board reads on a light terminal and on a dark one; without colours there is neither.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.style import Style
from rich.text import Text

from gamesearch.boards import Board, Cell
from gamesearch.game import Game

__all__ = ["BoardView", "board_view"]


@dataclass(frozen=True)
class Palette:
    """The colours of a board: of its squares, of each player's marks, and of what stands back."""

    plain: str
    light: str
    dark: str
    players: tuple[str, ...]
    faint: str
    other: str


RICH = Palette(
    "grey19", "grey42", "grey19", ("bright_yellow", "bright_cyan", "plum1", "pale_green1"), "grey62", "white"
)
"""For 256 colours and more. The marks have at least five times the brightness of the squares."""
PLAIN = Palette("black", "blue", "black", ("bright_yellow", "bright_cyan", "bright_magenta", "bright_green"), "white", "bright_white")  # noqa: E501  # fmt: skip
"""For 16 colours, whose shades each terminal chooses: only black and blue are dark on all."""


class BoardView:
    """Draws the Board of a position; with `only_ascii`, without glyphs."""

    def __init__(self, board: Board, only_ascii: bool = False) -> None:
        self.board, self.only_ascii = board, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the rows, the labels of the columns and the notes."""
        yield from self.lines(console, options)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """The width of the longest line."""
        width = max((line.cell_len for line in self.lines(console, options)), default=0)
        return Measurement(min(width, options.max_width), min(width, options.max_width))

    def lines(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """Each line of the picture."""
        board = self.board
        only_ascii = self.only_ascii or options.ascii_only
        palette = palette_for(console)
        marks = [[mark(cell, only_ascii) for cell in row] for row in board.rows]
        width = max(
            [cell_len(text) for row in marks for text in row] + [len(label) for label in board.column_labels] + [1]
        )
        margin = max((len(label) for label in board.row_labels), default=0)
        has_squares = any(cell.dark for row in board.rows for cell in row)
        for number, row in enumerate(board.rows):
            label = board.row_labels[number] if number < len(board.row_labels) else ""
            line = Text(f"{label:>{margin}} " if margin else "", no_wrap=True)
            for cell, text in zip(row, marks[number], strict=True):
                line.append(centred(text, width, cell.marked), style=style_of(cell, palette, has_squares))
            yield line
        if board.column_labels:
            labels = "".join(f" {label:^{width}} " for label in board.column_labels)
            yield Text((" " * (margin + 1) if margin else "") + labels.rstrip(), no_wrap=True)
        for note in board.notes:
            yield Text(note)


def palette_for(console: Console) -> Palette | None:
    """The colours that a console can show; None where it shows none."""
    if console.color_system is None or console.no_color:
        return None
    return PLAIN if console.color_system in ("standard", "windows") else RICH


def mark(cell: Cell, only_ascii: bool) -> str:
    """The characters of a cell."""
    return cell.text if only_ascii or not cell.glyph else cell.glyph


def centred(text: str, width: int, is_marked: bool) -> str:
    """The characters with a space on either side; brackets mark a cell, with colour or without."""
    space = width - cell_len(text)
    inside = " " * (space // 2) + text + " " * (space - space // 2)
    return f"[{inside}]" if is_marked else f" {inside} "


def style_of(cell: Cell, palette: Palette | None, has_squares: bool) -> Style:
    """The style of a cell; without colours, a side's marks are bold."""
    if palette is None:
        return Style(bold=cell.owner is not None)
    if cell.owner is not None:
        colour = palette.players[cell.owner % len(palette.players)]
    else:
        colour = palette.faint if cell.faint else palette.other
    ground = (palette.dark if cell.dark else palette.light) if has_squares else palette.plain
    return Style(color=colour, bgcolor=ground, bold=cell.owner is not None)


def board_view(game: Game[Any], state: Any, only_ascii: bool = False) -> RenderableType:
    """The position as a picture."""
    return Group(BoardView(game.board(state), only_ascii))
