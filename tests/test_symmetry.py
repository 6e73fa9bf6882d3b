"""Symmetries of games, such as rotation and reflection, and the searches and solvers that use symmetries."""

import random
from typing import Any

import pytest
from choices import EVERYTHING
from hypothesis import given, settings
from hypothesis import strategies as st
from support import facts, playout

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.cli import run
from gamesearch.errors import GamesearchError
from gamesearch.learned.patterns import symmetry_maps
from gamesearch.optional import PatternGame, SymmetricGame, symmetries_of
from gamesearch.registry import game_names, load
from gamesearch.solvers.solving import solve
from gamesearch.toolkit.symmetric_games import fold_symmetries

DECLARED = (
    "chess", "connect4", "connect4(rows=4, columns=4)", "connect4(weights=learned)", "gomoku(weights=learned)",
    "othello(weights=learned)", "gomoku(size=5, connect=4)", "gomoku(size=7, captures=true)", "hex(size=4, swap=true)",
    "morris", "othello", "othello(size=6)", "tictactoe",
)  # fmt: skip
SEARCHED = (("tictactoe", 9), ("connect4(rows=4, columns=4)", 7), ("othello(size=4)", 7), ("hex(size=3)", 5))
ALGORITHMS = (
    "alphabeta(table=true, memory=1, symmetries=true)",
    "alphabeta(table=true, memory=1, window=null, bounds=true, symmetries=true)",
    "alphabeta(deepen=true, table=true, memory=1, order=game+previous, symmetries=true)",
    "pvs(exact=true, memory=1, symmetries=true)",
)


def test_every_game_that_declares_symmetries_is_tried() -> None:
    declared = {name for name in game_names() if isinstance(load(name), SymmetricGame)}
    counted_by_rank = {name for name in declared if method_of(name) is SymmetricGame.symmetries}
    assert declared - counted_by_rank == {load(each).name for each in DECLARED}


def method_of(name: str) -> Any:
    """Return the method of the game that yields the symmetric positions of a position."""
    game = load(name)
    assert isinstance(game, SymmetricGame)
    return type(game).symmetries


@pytest.mark.parametrize("name", DECLARED)
@given(data=st.data())
@settings(max_examples=6)
def test_symmetric_positions_have_the_same_estimate_and_symmetric_moves(name: str, data: st.DataObject) -> None:
    game = load(name)
    s = playout(game, data.draw(st.integers(0, 1 << 32)), data.draw(st.integers(0, 30)))[-1]
    images = list(symmetries_of(game, s))
    assert s in images
    after = [] if game.terminal(s) else keys_after(game, s)
    for each in images:
        assert game.consistent(each)
        assert {game.key(image) for image in symmetries_of(game, each)} == {game.key(image) for image in images}
        assert game.terminal(each) == game.terminal(s)
        if game.terminal(s):
            assert game.utility(each) == game.utility(s)
            continue
        assert (game.player(each), game.evaluate(each)) == (game.player(s), game.evaluate(s))
        assert keys_after(game, each) == after, "the moves lead to the same positions, up to symmetry"


def keys_after(game: Any, s: Any) -> list[Any]:
    """Return the sorted keys of the positions after all moves; symmetric positions have the same key."""
    return sorted({min(game.key(each) for each in symmetries_of(game, game.result(s, m))) for m in game.moves(s)})


COMPILED = "tictactoe", 0
"""The game and the index of the algorithm that every run compiles; GAMESEARCH_TEST_ALL=1 compiles all of them."""


@pytest.mark.parametrize(
    ("name", "depth", "number"),
    [
        (*searched, number)
        for place, searched in enumerate(SEARCHED)
        for number in range(len(ALGORITHMS))
        if EVERYTHING or number == place
    ],
)
def test_symmetries_in_the_table_change_no_value(name: str, depth: int, number: int) -> None:
    algorithm = ALGORITHMS[number]
    game, source = load(name), random.Random(f"{name} {algorithm}")
    is_compiled = (name, number) == COMPILED or EVERYTHING
    for _ in range(2):
        s = playout(game, source.randrange(1 << 32), source.randrange(5))[-1]
        if game.terminal(s):
            continue
        asked, plain = load_algorithm(algorithm), load_algorithm(algorithm.replace("symmetries=true", ""))
        found = search_with(game, s, asked, Limits(depth=depth), speed="interpreted")
        if is_compiled:
            assert facts(found) == facts(search_with(game, s, asked, Limits(depth=depth), speed="compiled"))
        expected = search_with(game, s, plain, Limits(depth=depth), speed="interpreted")
        assert (found.value, found.distance) == (expected.value, expected.distance)
        if "bounds" not in algorithm:
            assert found.best is not None
            assert value_after(game, s, found.best, depth, plain) == expected.value


def value_after(game: Any, s: Any, move: int, depth: int, algorithm: Any) -> Any:
    """Return the value after a move; it is wrong if the search returned a move of a rotated position."""
    after = game.result(s, move)
    if game.terminal(after):
        return game.utility(after)
    return search_with(game, after, algorithm, Limits(depth=depth - 1), speed="interpreted").value


@pytest.mark.parametrize(
    ("name", "position", "method", "speed"),
    [
        ("tictactoe", "", "memo", "compiled"),
        ("tictactoe", "X../.../...", "retrograde", "interpreted"),
        ("hex(size=3)", "", "proof", "interpreted"),
    ],
)
def test_solvers_find_the_same_with_fewer_positions(name: str, position: str, method: str, speed: str) -> None:
    game, s = load(name).setup(position)
    plain, once = (solve(game, s, method, symmetries=asked, speed=speed) for asked in (False, True))
    assert (once.value, once.distance) == (plain.value, plain.distance)
    assert set(once.best) == set(plain.best)
    if method != "proof":  # proof search may visit other positions first, because the proof numbers differ
        assert once.positions < plain.positions


@pytest.mark.parametrize("name", ["morris(weights=learned)", "hex(size=7, swap=false, weights=learned)"])
def test_symmetry_in_the_table_is_refused_if_symmetric_estimates_differ(name: str) -> None:
    game = load(name)
    with pytest.raises(GamesearchError, match="estimates turned or mirrored positions differently"):
        search_with(game, game.initial(), load_algorithm(ALGORITHMS[0]), Limits(depth=1))


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "othello"])
def test_patterns_have_the_same_symmetries_as_positions(name: str) -> None:
    game = load(name)
    assert isinstance(game, PatternGame)
    places = game.cells_of_patterns()
    maps = symmetry_maps(places, game.pattern_symmetry)
    s = playout(game, 6, 6)[-1]

    def move_cells(board: int, images: Any) -> int:
        return sum(1 << images[cell] for cell in places if int(board) >> cell & 1)

    by_patterns = {tuple(move_cells(board, images) for board in game.contents(s)) for images in maps}
    assert by_patterns == {tuple(map(int, game.contents(each))) for each in symmetries_of(game, s)}


def test_games_without_symmetries_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("nim", "checkers"):
        with pytest.raises(GamesearchError, match=f"{name} does not declare"):
            fold_symmetries(load(name))
    assert run(["analyze", "nim", "-a", "alphabeta(table=true, symmetries=true)"]) == 2
    assert run(["solve", "nim", "--symmetries"]) == 2
    assert "does not declare how its board can be turned" in capsys.readouterr().err
    with pytest.raises(GamesearchError, match="needs table=true"):
        load_algorithm("alphabeta(symmetries=true)")
    assert run(["solve", "tictactoe", "--symmetries", "--estimate"]) == 2
    assert run(["solve", "tictactoe", "--symmetries"]) == 0
    assert "765" in capsys.readouterr().out
