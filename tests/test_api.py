import functools
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

import gamesearch
from gamesearch.api import perft, search, solve
from gamesearch.errors import GamesearchError
from gamesearch.registry import load


def test_every_public_name_exists() -> None:
    assert len(set(gamesearch.__all__)) == len(gamesearch.__all__)
    for name in gamesearch.__all__:
        assert getattr(gamesearch, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gamesearch.nothing


def test_no_submodule_hides_a_public_name() -> None:
    """Importing a module of the package `gamesearch` makes it an attribute of the package."""
    assert not {module.name for module in pkgutil.iter_modules(gamesearch.__path__)} & {*gamesearch.__all__}


def test_public_names_are_imported_from_one_home_each() -> None:
    homes = [name for names in gamesearch.HOMES.values() for name in names]
    assert sorted(homes) == sorted(gamesearch.__all__) == sorted(dir(gamesearch))
    for home, names in gamesearch.HOMES.items():
        assert set(names) <= set(importlib.import_module(home).__all__)


def test_perft_counts_sequences_of_the_exact_length() -> None:
    game = load("tictactoe")
    count = functools.partial(gamesearch.perft, speed="interpreted")
    assert [count(game, game.initial(), depth) for depth in range(4)] == [1, 9, 72, 504]
    over = game.parse("XXX/OO./...")
    assert [count(game, over, depth) for depth in range(3)] == [1, 0, 0]
    assert count(load("random_tree(chance=true)"), load("random_tree").initial(), 2) == 9
    with pytest.raises(GamesearchError, match="from 0 to"):
        gamesearch.perft(game, game.initial(), -1)


def test_without_a_depth_a_search_uses_the_depth_that_the_game_suggests() -> None:
    game, small = load("connect4"), load("tictactoe")
    assert (
        gamesearch.search(game, game.initial(), "alphabeta", speed="interpreted").statistics.depth
        == game.suggested_depth
    )
    limits = gamesearch.Limits(depth=3)
    limited = gamesearch.search(small, small.initial(), "alphabeta(depth=2)", limits=limits, speed="interpreted")
    assert limited.statistics.depth == 3


def test_the_statistics_do_not_count_the_searches_of_the_moves() -> None:
    game = load("tictactoe")
    with_moves = gamesearch.search(game, game.initial(), "alphabeta(depth=2)", moves=True, speed="interpreted")
    without = gamesearch.search(game, game.initial(), "alphabeta(depth=2)", speed="interpreted")
    assert with_moves.statistics.nodes == without.statistics.nodes
    assert [each.move for each in with_moves.moves] == list(range(9))
    assert without.moves == ()
    game = load("nim(1-1)")  # the moves of the opponent have values, too
    result = gamesearch.search(game, game.parse("1,1 min"), "alphabeta", moves=True, speed="interpreted")
    assert {each.value for each in result.moves} == {result.value} == {1.0}
    assert {each.distance for each in result.moves} == {result.distance} == {2}


def test_texts_instead_of_games_or_positions_are_rejected() -> None:
    game: Any = load("connect4")
    calls: tuple[Callable[[Any, Any], object], ...] = (search, solve, lambda game, state: perft(game, state, 1))
    for call in calls:
        with pytest.raises(GamesearchError, match=r"'nim' is not a game: load\('nim'\) gives one"):
            call("nim", "3,4,5")
        with pytest.raises(GamesearchError, match=r"'3344' is text, not a position: pass game.parse\('3344'\)"):
            call(game, "3344")


def test_a_game_has_a_description_and_a_picture() -> None:
    game = gamesearch.load("connect4(rows=4)")
    assert repr(game).startswith("connect4(rows=4")
    assert gamesearch.load(repr(game)) == game
    picture = gamesearch.draw(game, game.initial(), game.parse_move(game.initial(), "2"))
    assert repr(picture).splitlines()[-2:] == [". X . . . . .", "1 2 3 4 5 6 7"]
    root = ElementTree.fromstring(picture._repr_svg_())
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) > 28
    assert gamesearch.__version__.count(".") >= 1
