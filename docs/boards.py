"""Draws docs/boards.svg, a sheet with a board of every game: `python docs/boards.py`."""

from html import escape
from pathlib import Path

from gamesearch.pictures import picture
from gamesearch.registry import game_names, load
from gamesearch.render.board_svg import STYLE, drawn_board
from gamesearch.render.svg import image

POSITIONS = {
    "backgammon": "4HPwATDgc/ABMA max 31",
    "checkers": "B:W21,22,24,25,26,27,29,30,31,32,K10:B1,2,3,4,5,6,7,8,12,K18",
    "connect4": "4453443522",
    "dotsandboxes": "",
    "draughts": "W:W28,32,33,37,38,39,42,43,47,48,49,K6:B3,4,8,9,12,13,14,18,19,23,K45",
}
"""Positions that show more than the game's own example."""
WIDTH, GAP, HEADING = 1280.0, 36.0, 34.0


def sheet() -> str:
    """The whole sheet: as many boards in a row as there is room for."""
    parts: list[str] = []
    x = y = GAP
    tallest = 0.0
    for name in game_names():
        game = load(name)
        game, state = game.setup(POSITIONS.get(name) or game.example)
        width, height, drawn = drawn_board(picture(game, state))
        width = max(width, 12.0 * len(name))
        if x > GAP and x + width > WIDTH - GAP:
            x, y, tallest = GAP, y + tallest + HEADING + GAP, 0.0
        parts.append(f'<text class="note" x="{x:.0f}" y="{y + 10:.0f}" font-weight="bold">{escape(name)}</text>')
        parts += [f'<g transform="translate({x:.0f} {y + HEADING:.0f})">', *drawn, "</g>"]
        x, tallest = x + width + GAP, max(tallest, height)
    style = f"{STYLE}\nsvg {{ background: #fafafa }}"
    return image((WIDTH, y + tallest + HEADING + GAP), "The boards of all games", style, parts)


if __name__ == "__main__":
    Path(__file__).with_name("boards.svg").write_text(sheet(), encoding="utf-8")
