"""Boards read in colour, in 16 colours, without colours and in ASCII."""

import io
import re

import pytest
from rich.console import Console

from gamesearch.boards import Board, Cell
from gamesearch.game import MAX, MIN
from gamesearch.registry import load
from gamesearch.render.board import BoardView

CHESS = Board(
    rows=[[Cell("r", "♜", MIN), Cell("k", "♚", MIN, dark=True)], [Cell(faint=True, dark=True), Cell("K", "♔", MAX)]],
    row_labels="21",
    column_labels="ab",
    notes=["White to move"],
)


def drawn(board: Board, colours: str | None = None, only_ascii: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=60, force_terminal=True, color_system=colours, _environ={})  # type: ignore[arg-type]
    console.print(BoardView(board, only_ascii))
    return stream.getvalue()


def plain(text: str) -> list[str]:
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]


def test_glyphs_and_labels() -> None:
    assert plain(drawn(CHESS)) == ["2  ♜  ♚", "1  .  ♔", "   a  b", "White to move"]


def test_ascii_has_letters() -> None:
    text = drawn(CHESS, only_ascii=True)
    assert plain(text)[:2] == ["2  r  k", "1  .  K"]
    assert text.isascii()


@pytest.mark.parametrize("colours", ["standard", "256", "truecolor"])
def test_squares_set_foreground_and_background(colours: str) -> None:
    row = drawn(CHESS, colours).splitlines()[0]
    cells = re.findall(r"\x1b\[([0-9;]*)m ([♜♚]) ", row)
    assert [glyph for _, glyph in cells] == ["♜", "♚"]
    assert all(re.search(r"(^|;)(9[0-7]|3[0-8])(;|$)", style) for style, _ in cells)
    assert all(re.search(r"(^|;)(4[0-8])(;|$)", style) for style, _ in cells)
    assert cells[0][0] != cells[1][0], "squares of two colours differ"


def test_sixteen_colours_keep_the_sides_and_squares_apart() -> None:
    text = drawn(CHESS, "standard")
    assert ";38;" not in text
    assert "\x1b[1;96;44m ♜ " in text
    assert "\x1b[1;96;40m ♚ " in text
    assert "\x1b[1;93;44m ♔ " in text


def test_no_color_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    Console(file=stream, width=60, force_terminal=True, color_system="256").print(BoardView(CHESS))
    assert set(re.findall(r"\x1b\[([0-9;]*)m", stream.getvalue())) <= {"0", "1"}


def test_marked_cells_have_brackets() -> None:
    board = Board(rows=[[Cell("X", owner=MAX, marked=True), Cell("O", owner=MIN)]])
    assert plain(drawn(board)) == ["[X] O"]


def test_wide_cells_stay_aligned() -> None:
    board = Board(rows=[[Cell("10"), Cell("2")], [Cell("3"), Cell("4")]], column_labels=["a", "b"])
    assert plain(drawn(board)) == [" 10  2", " 3   4", " a   b"]


def test_a_board_of_notes_alone() -> None:
    nim, state = load("nim").setup("")
    assert plain(drawn(nim.board(state))) == ["a  |||    3", "b  ||||   4", "c  |||||  5"]


def test_rows_of_games() -> None:
    game, state = load("tictactoe").setup("XX./OX./.OO")
    assert plain(drawn(game.board(state))) == [" X  X  3", " O  X  6", " 7  O  O"]
    game, state = load("connect4(rows=3, columns=4, connect=3)").setup("22")
    assert plain(drawn(game.board(state)))[-2:] == [" .  X  .  .", " 1  2  3  4"]
