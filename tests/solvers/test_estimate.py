"""The size of a game is exact if all positions are counted, otherwise a close estimate; the label says which it is."""

import math
import random
import statistics

import pytest
from support import subtree

from gamesearch.registry import load
from gamesearch.solvers.estimate import LONGEST, estimate_size, moves_to_each, tree_size
from gamesearch.solvers.solving import effort_for, is_worth_estimating, solve

FITTING = (("tictactoe", "auto"), ("go(3)", "auto"), ("tictactoe", "proof"), ("nim", "auto"))
"""Games and methods; only the first two methods visit each position, so only their effort can be estimated."""


@pytest.mark.parametrize("text", ["tictactoe", "nim(3-4-5)", "pig(target=4)"])
def test_few_positions_are_counted(text: str) -> None:
    game = load(text)
    s = game.parse("XX./OO./...") if text == "tictactoe" else game.initial()
    found = estimate_size(game, s, few=100_000)
    method = "iteration" if game.chance else "memo"
    assert (found.is_counted, found.positions) == (True, solve(game, s, method, speed="interpreted").positions)


@pytest.mark.parametrize(("text", "positions"), [("tictactoe", 5478), ("nim(3-4-5-6)", 1679)])
def test_a_sample_comes_near(text: str, positions: int) -> None:
    game = load(text)
    found = [estimate_size(game, game.initial(), few=300, sample=200, seed=seed) for seed in (0, 1, 1)]
    assert not any(each.is_counted for each in found)
    assert all(positions / 2 < each.positions < positions * 2 for each in found)
    assert (found[1].positions, found[1].nodes, found[1].plies) == (found[2].positions, found[2].nodes, found[2].plies)


def test_the_mean_of_random_paths_is_the_size_of_the_tree() -> None:
    """Knuth proves that the mean size found by random paths is unbiased.

    For the 1,000 paths of this seed, the standard error is 1 or 2 %.
    """
    game = load("tictactoe")
    s, dice = game.parse("XO./.X./..."), random.Random(4)
    sizes = [tree_size(game, s, dice) for _ in range(1000)]
    error = statistics.stdev(sizes) / 1000**0.5
    assert abs(statistics.fmean(sizes) - subtree(game, s, 10**6)) < 4 * error


@pytest.mark.parametrize("share", [0.9, 0.3, 0.01])
def test_the_number_of_moves_to_each_position_is_estimated(share: float) -> None:
    """If 3 moves lead to each position and only a share of all moves is known, the formula finds the number 3."""
    met = 1 - (1 - share) ** 3
    assert moves_to_each(round(3_000_000 * share), round(1_000_000 * met), share) == pytest.approx(3, rel=1e-2)


def test_memory_and_time_by_method() -> None:
    game = load("connect4(rows=4, columns=4)")
    found = estimate_size(game, game.initial(), few=500, sample=200)
    memo = effort_for(game, game.initial(), "memo", "interpreted", found)
    assert memo.bytes >= 24 * found.positions
    assert memo.seconds > effort_for(game, game.initial(), "memo", "auto", found).seconds
    assert effort_for(game, game.initial(), "retrograde", "auto", found).method == "retrograde"
    game = load("connect4")
    large = estimate_size(game, game.initial(), few=100, sample=150)
    assert large.is_extrapolated
    assert (large.positions > 10**6, large.plies <= LONGEST) == (True, True)
    assert "alpha-beta" in effort_for(game, game.initial(), "auto", "auto", large).remark
    worth = [is_worth_estimating(load(text), method) for text, method in FITTING]
    assert worth == [True, True, False, False]
    go = load("go(2)")
    effort = effort_for(go, go.initial(), "auto", "auto", estimate_size(go, go.initial()))
    assert (effort.method, effort.seconds) == ("search", math.inf)
