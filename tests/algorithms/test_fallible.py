"""Expectiminimax against a Min who makes errors finds the same values as a simple recursive function."""

import math
from typing import Any

import pytest
from choices import EVERYTHING
from support import playout

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.registry import game_names, load
from gamesearch.render.value_words import found_text


def plain(game: Game, s: Any, temperature: float, error: float) -> float:
    """Compute the expected payoff against a Min who makes errors, directly from the definition."""
    if game.terminal(s):
        return float(game.utility(s))
    if game.player(s) == CHANCE:
        return sum(p * plain(game, game.result(s, m), temperature, error) for m, p in game.outcomes(s))
    values = [plain(game, game.result(s, m), temperature, error) for m in game.moves(s)]
    if game.player(s) == MAX:
        return max(values)
    chosen = min(values)
    if temperature:
        weights = [math.exp((chosen - value) / temperature) for value in values]
        chosen = sum(w * value for w, value in zip(weights, values, strict=True)) / sum(weights)
    return (1 - error) * chosen + error * sum(values) / len(values)


def value(game: Game, s: Any, parameters: str, speed: str = "interpreted") -> float:
    found = search(game, s, f"expectiminimax(depth=full, {parameters})", speed=speed).value
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize(
    ("errs", "same_as"),
    [
        ("error=1", "opponent=random"),
        ("opponent=softmax(1000000)", "opponent=random"),
        ("opponent=softmax(0.001)", "opponent=best"),
        ("error=0", "opponent=best"),
    ],
)
def test_the_ends_of_the_scale_are_the_best_and_the_random_opponent(errs: str, same_as: str) -> None:
    game = load("tictactoe")
    for seed in range(6):
        state = playout(game, seed)[3]
        assert value(game, state, errs) == pytest.approx(value(game, state, same_as), abs=1e-4)


RANDOM = ("opponent=random", "error=1", "opponent=softmax(0.5), error=1", "opponent=random, pruning=none")
"""Options that make Min always move at random."""


FOR_TWO = [name for name in game_names() if load(name).players == 2]


@pytest.mark.parametrize("text", FOR_TWO if EVERYTHING else ("tictactoe", "connect4", "pig", "kalah", "nim"))
def test_all_ways_to_specify_a_random_min_find_the_same_values(text: str) -> None:
    game = load(text)
    for seed in range(2):
        states = playout(game, seed)
        for s in (states[0], states[min(5, len(states) - 1)], states[max(0, len(states) - 3)]):
            if game.terminal(s):
                continue
            limits = Limits(depth=2 if len(game.steps(s)) < 12 else 1)
            found = [search(game, s, f"expectiminimax({each})", limits=limits, speed="interpreted") for each in RANDOM]
            assert [each.value for each in found] == pytest.approx([found[0].value] * len(RANDOM))
            assert {each.best is None for each in found} == {game.player(s) == CHANCE}


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
