"""Boards as SVG show every piece once, in the color of its side; the sheet of all games equals the stored file."""

import runpy
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest
from choices import choose

from gamesearch.registry import game_names, load
from gamesearch.render.boards.colors import contrast, small_board
from gamesearch.render.boards.svg import board_svg, draw_board_parts
from gamesearch.render.formats.tikz import tikz_lines
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.pictures import picture

SVG = "{http://www.w3.org/2000/svg}"
DOCS = Path(__file__).parents[2] / "docs" / "pictures"


def example(name: str) -> Board:
    game = load(name)
    game, state = game.setup(game.example)
    return picture(game, state)


@pytest.mark.parametrize("name", game_names())
def test_every_disc_is_drawn_once_within_the_image(name: str) -> None:
    board = example(name)
    root = ElementTree.fromstring(board_svg(board, name))
    width, height = (float(part) for part in root.attrib["viewBox"].split()[2:])
    owners = Counter(board.cell(place).owner for place in board.places())
    large = [each for each in root.iter(f"{SVG}circle") if float(each.attrib["r"]) > 12]
    assert all(0 <= float(each.attrib["cx"]) <= width and 0 <= float(each.attrib["cy"]) <= height for each in large)
    if board.palette.discs:
        colors = Counter(each.attrib["fill"] for each in large)
        for owner, side in enumerate(board.palette.sides[: len(board.sides)]):
            assert colors[side] == owners[owner]
    texts = {each.text for each in root.iter(f"{SVG}text")}
    assert {label.strip() for label in (*board.row_labels, *board.column_labels)} - {""} <= texts
    assert set(board.notes) - {""} <= texts
    assert not any("?" in line for line in tikz_lines("".join(draw_board_parts(board)[2]))), (
        "TeX prints every character"
    )


def test_letters_and_numbers_on_small_boards_are_dark() -> None:
    """The contrast of letters and numbers is at least 4.5, as WCAG 2.1 requires for text, also on marked cells."""
    for name in ("kalah", "tictactoe", "pig"):
        palette = small_board(example(name)).palette
        assert not palette.discs
        assert all(contrast(side, ground) > 4.5 for side in palette.sides for ground in (palette.dark, palette.mark))


def test_the_sheet_of_all_games_is_as_committed() -> None:
    is_same = runpy.run_path(str(DOCS / "boards.py"))["sheet"]() == (DOCS / "boards.svg").read_text(encoding="utf-8")
    assert is_same, "draw it again: python docs/pictures/boards.py"


@pytest.mark.parametrize(
    "name", choose(["minimax", "ranges", "chance", "players", "tree-search", "horizon"], ["tictactoe"])
)
def test_a_figure_of_the_documentation_is_as_committed(name: str) -> None:
    drawn, path = runpy.run_path(str(DOCS / "figures.py"))["draw"](name), DOCS / f"figure-{name}.svg"
    assert drawn == path.read_text(encoding="utf-8"), "draw it again: python docs/pictures/figures.py"
