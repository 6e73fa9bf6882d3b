"""Colors in the form #rrggbb: luminance, contrast, mixtures, and the nearest of the sixteen colors of a terminal.

This module also makes boards in bright colors for white paper, and small boards for the nodes of a tree.
"""

import colorsys
import functools
from collections.abc import Collection
from dataclasses import replace

from gamesearch.toolkit.boards import Board, Cell

__all__ = [
    "board_for_print", "contrast", "luminance", "mix_colors", "nearest_color", "small_board", "text_on",
    "with_luminance",
]  # fmt: skip

SIXTEEN = {
    "black": "#000000", "red": "#aa0000", "green": "#00aa00", "yellow": "#aa5500",
    "blue": "#0000aa", "magenta": "#aa00aa", "cyan": "#00aaaa", "white": "#aaaaaa",
    "bright_black": "#555555", "bright_red": "#ff5555", "bright_green": "#55ff55", "bright_yellow": "#ffff55",
    "bright_blue": "#5555ff", "bright_magenta": "#ff55ff", "bright_cyan": "#55ffff", "bright_white": "#ffffff",
}  # fmt: skip
"""The sixteen colors that every terminal has. Most terminals show approximately these colors."""


def parts(color: str) -> tuple[float, float, float]:
    """The amounts of red, green and blue in a color, from 0 to 1."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


@functools.lru_cache(maxsize=256)
def luminance(color: str) -> float:
    """The luminance (brightness) of a color, from 0 to 1 (WCAG 2.1)."""
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(color)]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def contrast(one: str, other: str) -> float:
    """The contrast of two colors, from 1 to 21 (WCAG 2.1)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mix_colors(one: str, other: str, share: float) -> str:
    """Mix two colors. `share` is the fraction of the second color in the mixture."""
    mixed = (a + share * (b - a) for a, b in zip(parts(one), parts(other), strict=True))
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, part))):02x}" for part in mixed)


@functools.lru_cache(maxsize=256)
def with_luminance(color: str, most: float) -> str:
    """If the luminance of a color is greater than `most`, darken the color to this luminance. Otherwise, return it
    unchanged."""
    low, high = 0.0, 1.0
    if luminance(color) <= most:
        return color
    for _ in range(12):
        share = (low + high) / 2
        low, high = (share, high) if luminance(mix_colors(color, "#000000", share)) > most else (low, share)
    return mix_colors(color, "#000000", high)


def text_on(ground: str) -> str:
    """Black or white: the more readable color for text on the background `ground`."""
    return "#000000" if contrast(ground, "#000000") > contrast(ground, "#ffffff") else "#ffffff"


def nearest_color(color: str, among: Collection[str]) -> str:
    """The name of the color in `among` that is most similar to a color. Usually, a gray is replaced by a gray, and
    another color by a color that is not gray."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*parts(color))

    def distance(name: str) -> float:
        other, light, strength = colorsys.rgb_to_hls(*parts(SIXTEEN[name]))
        turn = min(abs(hue - other), 1 - abs(hue - other)) * 2
        has_hue = min(1.0, saturation * (1 - abs(2 * lightness - 1)) * 2)
        return has_hue * (4 * turn if strength else 1.5) + (1 - has_hue) * 2 * strength + abs(light - lightness)

    return min(among, key=distance)


# Boards for white paper and for trees. ------------------------------------------------------------
DARK = 0.3
"""If the luminance of a board without discs is at most this number, the board becomes white on paper."""
INK = 0.1
"""The greatest luminance of texts and pieces on white paper. Their contrast with a marked cell is then above 5."""
PALE = "#ffe9a8"
EMPTY = Cell(".")


def small_board(board: Board) -> Board:
    """Make a small version of a board, for a node of a tree."""
    return replace(
        board_for_print(board),
        rows=[[small_cell(cell) for cell in row] for row in board.rows],
        row_labels=(),
        column_labels=(),
        top_labels=(),
        notes=(),
        sides=(),
    )


def small_cell(cell: Cell) -> Cell:
    """Return the cell. If it is empty, leave out its number."""
    if cell.faint and cell.owner is None and cell.text.isalnum():
        return replace(EMPTY, dark=cell.dark, absent=cell.absent, tint=cell.tint)
    return cell


def board_for_print(board: Board) -> Board:
    """Change the colors of a board for white paper. A board that is bright or has discs keeps its colors."""
    palette = board.palette
    if palette.discs or luminance(palette.board) > DARK:
        return board
    light = replace(
        palette,
        board="#ffffff",
        dark="#e4e6ea" if palette.layout != "holes" else "#f1ece2",
        line="#4b525c",
        sides=tuple(with_luminance(side, INK) for side in palette.sides),
        mark=PALE,
    )
    return replace(board, palette=light)
