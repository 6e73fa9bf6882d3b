"""Draw docs/pictures/boards.svg, a picture with a board of every game."""

from html import escape
from pathlib import Path

from gamesearch.registry import game_names, load
from gamesearch.render.boards.svg import STYLE, draw_board_parts
from gamesearch.render.formats.svg import image
from gamesearch.toolkit.pictures import picture

GO = "........./..X...O../.XO....O./..X.X..../......O../..O....../.XXO...X./..XO...../......... X"
HEX = "......./..O..../...XO../..XOX../.OX..../..X..../......."
POSITIONS = {
    "tree": "root",
    "backgammon": "4HPwATDgc/ABMA max 31",
    "checkers": "B:W21,22,24,25,26,27,29,30,31,32,K10:B1,2,3,4,5,6,7,8,12,K18",
    "connect4": "4453443522",
    "go": GO,
    "hex": HEX,
    "draughts": "W:W28,32,33,37,38,39,42,43,47,48,49,K6:B3,4,8,9,12,13,14,18,19,23,K45",
}
"""Positions that replace the example of the game, because they show more."""
PAPER = "#fbfaf7"
COLUMNS, TILE, GAP, HEADING = 5, 250.0, 26.0, 26.0
LARGEST = 1.25
"""The largest scale of a board; it keeps boards of a few cells small."""


def sheet() -> str:
    """Draw the picture: tiles of one size, each with the name and the board of a game."""
    parts: list[str] = []
    names = game_names()
    for number, name in enumerate(names):
        game = load(name)
        game, state = game.setup(POSITIONS.get(name, game.example))
        width, height, drawn = draw_board_parts(picture(game, state))
        scale = min(LARGEST, TILE / width, TILE / height)
        row, column = divmod(number, COLUMNS)
        x, y = GAP + column * (TILE + GAP), GAP + row * (TILE + HEADING + GAP)
        left = x + (TILE - width * scale) / 2
        parts.append(f'<text class="heading" x="{x + TILE / 2:.0f}" y="{y + 8:.0f}">{escape(name)}</text>')
        parts += [f'<g transform="translate({left:.1f} {y + HEADING:.1f}) scale({scale:.3f})">', *drawn, "</g>"]
    rows = -(-len(names) // COLUMNS)
    size = (GAP + COLUMNS * (TILE + GAP), GAP + rows * (TILE + HEADING + GAP))
    style = f"{STYLE}\n.heading {{ font-size: 15px; font-weight: 600; fill: #333 }}"
    return image(size, "The boards of all games", style, [f'<rect width="100%" height="100%" fill="{PAPER}"/>', *parts])


if __name__ == "__main__":
    Path(__file__).with_name("boards.svg").write_text(sheet(), encoding="utf-8")
