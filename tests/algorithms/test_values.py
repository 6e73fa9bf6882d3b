"""Searches use a game's estimates even if the estimates are wrong."""

import math

import pytest

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.games.counting.nim import Nim


class Unsure(Nim):
    """Nim with the estimate NaN in some positions; `load` does not check these positions."""

    def evaluate(self, s: object) -> float:
        return math.nan if hash(s) % 3 == 0 else 0.25


@pytest.mark.parametrize(
    "algorithm", ["minimax(depth=3)", "alphabeta(table=true, window=null)", "pvs", "bestfirst", "mcts"]
)
def test_every_search_ends_with_nan_estimates(algorithm: str) -> None:
    game = Unsure(heaps="3,4,5")
    limits = Limits(nodes=300, depth=3 if load_algorithm(algorithm).can_deepen else None)
    found = search(game, game.initial(), algorithm, limits=limits, speed="interpreted")
    assert isinstance(found.value, float)
    assert not math.isnan(found.value)
    assert found.best in game.steps(game.initial())
