"""Beliefs about leaves, computed from random games, agree with exact expectations, interpreted and compiled."""

import math
from typing import Any

import pytest
from support import random_play

from gamesearch.algorithms.engine.result import MoveValue
from gamesearch.algorithms.tree_search.sampling import mean_and_error
from gamesearch.api import search
from gamesearch.game import Game
from gamesearch.registry import load

PLAYOUTS = 2_000
SURE = 4.5
"""The allowed deviation in standard errors. Only 1 of 150,000 seeds gives a greater deviation; the seeds are fixed."""
GAMES = [
    ("tictactoe", "X../.O./..."),
    ("nim(heaps=1-2-3)", ""),
    ("connect4(rows=3, columns=3, connect=3)", ""),
    ("pig(target=8)", ""),
    ("[[3,{1/4: -2, 3/4: 5}],[[1,2,9],4]]", ""),
]
"""Games that are so small that all random games can be enumerated."""


def beliefs_at(game: Game, state: Any, options: str, **given: Any) -> tuple[MoveValue, ...]:
    """Return the beliefs about the moves of a position after one expansion."""
    algorithm = f"beliefs(leaves=playouts, expansions=1, {options})"
    return search(game, state, algorithm, **{"speed": "interpreted", **given}).moves


@pytest.mark.parametrize(("text", "position"), GAMES)
def test_means_and_errors_agree_with_random_games(text: str, position: str) -> None:
    game, state = load(text).setup(position)
    checked = 0
    for each in beliefs_at(game, state, f"playouts={PLAYOUTS}, seed=1"):
        after = game.result(state, each.move)
        ((mean, square),) = random_play(game, after)
        assert each.belief is not None
        if game.terminal(after):
            assert (each.value, each.belief.deviation) == (mean, 0)
            continue
        assert isinstance(each.value, float)
        # The average includes the game's lowest and highest payoff once each, in addition to the random payoffs.
        least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
        wanted, error = mean_and_error(least, greatest, PLAYOUTS * mean, PLAYOUTS * square, PLAYOUTS)
        drawn = math.sqrt(max(0.0, square - mean * mean) / PLAYOUTS)
        assert abs(each.value - wanted) <= SURE * drawn + each.belief.step / 2
        assert each.belief.deviation == pytest.approx(error, rel=0.15, abs=each.belief.step)
        checked += 1
    assert checked >= 1


def test_estimated_errors_contain_the_mean_as_often_as_they_should() -> None:
    """Among many averages of few games, 95 % are within 1.96 estimated errors of the true mean."""
    game, state = load("tictactoe").setup("X../.O./...")
    means = {move: random_play(game, game.result(state, move))[0][0] for move in game.moves(state)}
    within = total = 0
    for seed in range(100):
        for each in beliefs_at(game, state, f"playouts=20, seed={seed}"):
            assert each.belief is not None
            assert isinstance(each.value, float)
            within += abs(each.value - means[each.move]) <= 1.96 * each.belief.deviation
            total += 1
    assert total == 700
    assert 0.93 <= within / total <= 0.99


def test_a_given_error_is_added() -> None:
    game, state = load("tictactoe").setup("X../.O./...")
    for each in beliefs_at(game, state, f"playouts={PLAYOUTS}, error=0.1"):
        assert each.belief is not None
        assert each.belief.deviation == pytest.approx(0.1, rel=0.1)
