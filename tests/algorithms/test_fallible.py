"""Expectiminimax against a Min who makes errors finds the same values as a simple recursive function."""

from typing import Any

import pytest

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.game import MIN, Game
from gamesearch.registry import load
from gamesearch.render.value_words import found_text


def value(game: Game, s: Any, parameters: str, speed: str = "interpreted") -> float:
    found = search(game, s, f"expectiminimax(depth=full, {parameters})", speed=speed).value
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize("opponent", ["random", "softmax(0.5)", "best"])
def test_searches_with_an_assumed_opponent_play_legal_moves_of_min(opponent: str) -> None:
    game = load("tictactoe")
    s = game.parse("XX./OO./X..")
    assert game.player(s) == MIN
    found = search(game, s, f"expectiminimax(opponent={opponent})", speed="interpreted")
    assert found.best == game.parse_move(s, "6")
    assert search(game, s, "expectimax", limits=Limits(nodes=3), speed="interpreted").best is None


def test_a_trap_is_set_for_a_fallible_opponent() -> None:
    # Minimax takes the move that always pays 1. The other move pays more against a Min who often errs, because only
    # one of Min's three replies is good.
    game = load("tree([[1, 1, 1], [0, 9, 9]])")
    assert search(game, game.initial(), "expectiminimax").best == 0
    assert search(game, game.initial(), "expectiminimax(error=0.3)").best == 1
    assert value(game, game.initial(), "error=0.3") == pytest.approx(0.3 * 6)


def test_a_stopped_search_claims_no_bound_that_replies_not_searched_may_break() -> None:
    game = load("tree(min[0, [9, 9], [9, 8]])")
    found = search(game, game.initial(), "expectiminimax(error=0.9)", limits=Limits(nodes=4), speed="interpreted")
    assert found.stopped == "nodes"
    assert found.value == game.MAXSCORE


def test_an_expected_value_is_marked_as_expected() -> None:
    game = load("tictactoe")
    state = game.parse("..X/O.O/OXX")
    found = search(game, state, "expectiminimax(depth=full, error=1)", speed="interpreted")
    assert (found.value, found.is_expected, found.sees_the_end) == (0, True, True)
    assert "best play" not in found_text(game, state, found)
