"""Boards in all colors, in 16 colors, without color and in ASCII, as large as the space allows."""

import io
import itertools
import re
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from rich.console import Console

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.notation import player_name
from gamesearch.registry import game_names, load
from gamesearch.render.boards.board import BoardView
from gamesearch.render.boards.colors import SIXTEEN, contrast, luminance
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import LAST, TAKEN, WON, Board, Cell, Palette
from gamesearch.toolkit.pictures import palette_of, picture, picture_after

CHESS = Board(
    rows=[[Cell("r", "♜", MIN), Cell("k", "♚", MIN, dark=True)], [Cell(faint=True, dark=True), Cell("K", "♔", MAX)]],
    row_labels="21",
    column_labels="ab",
    notes=["White to move"],
    palette=Palette(board="#f0d9b5", dark="#b58863", sides=("#ffffff", "#000000")),
)


def console_of(colors: str | None, *, is_terminal: bool = True, size: tuple[int, int] = (60, 8)) -> Console:
    shape: dict[str, Any] = {"width": size[0], "height": size[1], "color_system": colors}
    return Console(file=io.StringIO(), force_terminal=is_terminal, _environ={}, **shape)


def draw(board: Board, colors: str | None = None, *, only_ascii: bool = False, **how: Any) -> str:
    console = console_of(colors, **how)
    console.print(BoardView(board, only_ascii))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def plain(text: str) -> list[str]:
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]


def board_of(specification: str, position: str) -> Board:
    game, state = load(specification).setup(position)
    return picture(game, state)


def test_glyphs_letters_and_labels() -> None:
    assert plain(draw(CHESS)) == ["2  ♜  ♚", "1  ·  ♔", "   a  b", "White to move"]
    assert plain(draw(CHESS, "256", size=(100, 40)))[:2] == ["2  ♜  ♚", "1     ♔"], "chess has small cells"
    for is_terminal in (False, True):
        text = draw(CHESS, only_ascii=True, is_terminal=is_terminal)
        assert plain(text)[:2] == ["2  r  k", "1  .  K"]
        assert text.isascii()


@pytest.mark.parametrize("colors", ["standard", "256", "truecolor"])
def test_each_square_has_a_foreground_and_a_background_color(colors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    row = draw(CHESS, colors).splitlines()[0]
    cells = re.findall(r"\x1b\[([0-9;]*)m([♜♚])", row)
    assert [glyph for _, glyph in cells] == ["♜", "♚"]
    assert all(re.search(r"(^|;)(3[0-8]|9[0-7])(;|$)", style) for style, _ in cells)
    assert all(re.search(r"(^|;)(4[0-8]|10[0-7])(;|$)", style) for style, _ in cells)
    assert cells[0][0] != cells[1][0], "squares of two colors differ"
    monkeypatch.setenv("NO_COLOR", "1")
    stream = io.StringIO()
    Console(file=stream, width=60, force_terminal=True, color_system=colors).print(BoardView(CHESS))  # type: ignore[arg-type]
    assert set(re.findall(r"\x1b\[([0-9;]*)m", stream.getvalue())) <= {"0", "1"}


# The two sides look different in every game. -----------------------------------------------------
def test_black_is_darker_than_white_and_all_sides_are_visible() -> None:
    for game in map(load, game_names()):
        palette = palette_of(game)
        sides = {player_name(game, i).casefold(): palette.sides[i % len(palette.sides)] for i in range(game.players)}
        assert len(set(sides.values())) == game.players, game
        if {"black", "white"} <= set(sides):
            assert luminance(sides["black"]) < 0.05, game
            assert luminance(sides["white"]) > 0.9, game
        ink = Ink(picture(game, game.initial()), console_of("truecolor"))
        assert ink.board is not None
        for side in {"#000000"} if ink.has_symbols else sides.values():
            grounds = [ink.board, ink.dark] if palette.layout == "cells" else [ink.board]  # pieces on dark squares
            assert all(contrast(side, ground or "") > 1.4 for ground in grounds), game


def test_sixteen_colors_keep_sides_and_grounds_apart() -> None:
    for game in map(load, game_names()):
        ink = Ink(Board(palette=palette_of(game)), console_of("standard"))
        sides, grounds = ink.sides[: game.players], {ink.board, ink.dark}
        assert len({*sides, *grounds}) == len(sides) + 2, game
        assert ink.faint not in grounds, game
        assert {*grounds, *sides} <= set(SIXTEEN), game
        for (one, first), (other, second) in combinations(zip(palette_of(game).sides, sides, strict=False), 2):
            if luminance(one) < 0.05 and luminance(other) > 0.9:
                assert (first, second) == ("black", "bright_white"), game


# Marks. ------------------------------------------------------------------------------------------
def test_without_colors_brackets_mark_cells() -> None:
    board = Board(rows=[[Cell("X", owner=MAX, marked=True), Cell("O", owner=MIN)]])
    for colors in (None, "standard"):
        assert plain(draw(board, colors)) == ["[X] O"]
    assert plain(draw(board, "256")) == [" X  O"]
    assert plain(draw(board, only_ascii=True)) == ["[X] O"]
    assert plain(draw(board, is_terminal=False)) == ["[X] O"]
    won = Board(rows=board.rows, marks={(0, 1): WON})
    assert plain(draw(won)) == ["[X]*O*"]


def after(specification: str, position: str, move: str) -> Board:
    game, state = load(specification).setup(position)
    m = game.parse_move(state, move)
    return picture_after(game, state, m, game.result(state, m))


def test_cells_changed_by_a_move_are_found_by_comparing_boards() -> None:
    assert after("tictactoe", "XX./OO./...", "9").marks == {(2, 2): LAST}
    assert after("connect4", "4", "4").marks == {(4, 3): LAST}
    assert after("go(size=3)", ".X./XO./... X", "C2").marks == {(1, 2): LAST}
    assert after("go(size=3)", ".X./XOX/... X", "B1").marks == {(2, 1): LAST, (1, 1): TAKEN}
    assert after("checkers", "W:W22:B18", "22x15").marks == {(5, 2): LAST, (4, 3): TAKEN, (3, 4): LAST}
    assert after("othello", "", "d3").marks == {(2, 3): LAST}, "the game names the cells of the move"
    board = after("chess", "", "e4")
    assert {place for place in board.places() if board.mark(place) == LAST} == {(6, 4), (4, 4)}


def test_winning_lines_are_marked() -> None:
    assert set(board_of("tictactoe", "XXX/OO./...").marks) == {(0, 0), (0, 1), (0, 2)}
    board = board_of("connect4", "4455667")
    assert board.marks == {(5, column): WON for column in (3, 4, 5, 6)}
    board = board_of("hex(size=3)", "XO./XO./X..")
    assert board.marks == dict.fromkeys([(0, 0), (1, 0), (2, 0)], WON)
    assert board_of("gomoku(size=7)", "a1 a2 b1 b2 c1 c2 d1 d2 e1").marks == {(6, i): WON for i in range(5)}


def test_a_board_turned_twice_is_the_same() -> None:
    for name in game_names():
        game = load(name)
        game, state = game.setup(game.example)
        board = picture(game, state)
        once, twice = board.flip(), board.flip().flip()
        assert [list(row) for row in twice.rows] == [list(row) for row in board.rows]
        assert (twice.edges, twice.marks, list(twice.shifts)) == (board.edges, board.marks, list(board.shifts))
        assert {*map(frozenset, twice.lines or ())} == {*map(frozenset, board.lines or ())}
        assert list(twice.column_labels) == list(board.column_labels)
        for row, column in board.places():
            width = max(map(len, board.rows))
            assert once.cell((len(board.rows) - 1 - row, width - 1 - column)) == board.cell((row, column))


# Sizes and layouts. ------------------------------------------------------------------------------
WIDE = Board(rows=[[Cell("10"), Cell("2")], [Cell("3"), Cell("4")]], column_labels=["a", "b"])
NO_TERMINAL: dict[str, Any] = {"is_terminal": False}
EDGES = "X connects top and bottom, O connects left and right"
DRAWINGS: list[tuple[Board, dict[str, Any], list[str]]] = [
    (WIDE, {}, [" 10  2", " 3   4", " a   b"]),
    (Board(notes=["one", "two"]), {}, ["one", "two"]),
    (board_of("tictactoe", "XX./OX./.OO"), NO_TERMINAL, [" X  X  3", " O  X  6", " 7  O  O"]),
    (board_of("connect4(rows=1, columns=4, connect=3)", "2"), NO_TERMINAL, [" .  X  .  .", " 1  2  3  4"]),
    (
        board_of("dotsandboxes(rows=1, columns=2)", "a1-b1 a1-a2 a2-b2 b1-b2"), NO_TERMINAL,
        ["2  ●-----●     ●", "   |  B  |", "1  ●-----●     ●", "   a     b     c"],
    ),
    (
        board_of("hex(size=2)", "XO/.."), NO_TERMINAL,
        ["    X X", " 1 O X O O", "  2 O . . O", "       X X", "        a b", EDGES],
    ),
    (board_of("tictactoe", "XX./OX./.OO"), {}, [" X │ X │ 3", "───┼───┼───", " O │ X │ 6", "───┼───┼───"]),
    (
        board_of("tictactoe", "XO./.../..."), {"size": (60, 40)},
        ["  ╲ ╱  │  ╭─╮  │", "   ╳   │  │ │  │   3", "  ╱ ╲  │  ╰─╯  │", "───────┼───────┼───────"],
    ),
    (board_of("tictactoe", "XO./.../..."), {"size": (22, 40)}, [" X │ O │ 3"]),
    (board_of("go(size=3)", "X../.O./... X"), {}, ["3  ●─┬─┐", "2  ├─○─┤", "1  └─┴─┘", "   A B C"]),
    (
        board_of("hex(size=2)", "XO/.."), {"size": (60, 20)},
        ["    ╱ ╲ ╱ ╲", " 1 │ X │ O │", "    ╲ ╱ ╲ ╱ ╲", "   2 │ · │ · │", "      ╲ ╱ ╲ ╱", "         a   b", EDGES],
    ),
]  # fmt: skip


def test_every_layout_is_drawn_as_large_as_the_space_allows() -> None:
    for board, how, lines in DRAWINGS:
        assert plain(draw(board, **how))[: len(lines)] == lines


def test_the_last_stone_has_a_dot_in_the_color_of_the_mark() -> None:
    marked = after("go(size=3)", ".../.../... X", "B2")
    for board, dots in ((marked, 1), (replace(marked, marks={}), 0)):
        assert draw(board, "truecolor", size=(60, 40)).count("•") == dots


@pytest.mark.parametrize("name", [*game_names(), "go(size=19)"])
def test_every_board_fits_a_small_terminal(name: str) -> None:
    game = load(name)
    board = picture(game, game.initial())
    for colors, size in itertools.product((None, "256"), ((80, 24), (160, 60))):
        lines = plain(draw(board, colors, size=size))
        assert all(note.rstrip() in lines for note in board.notes), "no note is wrapped"
        assert max(map(len, lines)) <= size[0]
        assert len(lines) <= 23 or size[1] > 24
    narrow, wide = (draw(board, is_terminal=False, size=(width, 24)) for width in (20, 200))
    assert re.sub(r"[\s-]", "", narrow) == re.sub(r"[\s-]", "", wide), "a board that is too wide is wrapped"
    assert max(map(len, plain(narrow))) <= 20


class Own(Game[Any]):
    """A game without a palette."""

    names = ("Black", "White")


def test_palettes() -> None:
    wrong: list[dict[str, Any]] = [{"board": "green"}, {"sides": ()}, {"sides": ("#ff", "#00ff00")}, {"mark": ""}]
    for each in (*wrong, {"layout": "round"}):
        with pytest.raises(GamesearchError, match="of a palette"):
            Palette(**each)
    black, white = palette_of(Own()).sides[:2]
    assert luminance(black) < 0.05
    assert luminance(white) > 0.9
