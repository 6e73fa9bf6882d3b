"""What sums of learned patterns are in the unit of a game, and how much a move changes them."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from gamesearch.learned.patterns import PatternEvaluation

__all__ = ["most_change", "unit_by_own"]

SAMPLE, LONGEST_GAME = 2_000, 120
"""So many moves of random games, of so many moves at most, are looked at."""
SHARE = 0.999


def steps(game: PatternEvaluation, measure: Callable[[Any], float]) -> Any:
    """The measure of a position and of that after a move, in a row for each move of random games."""
    source, found, state, plies = random.Random(1), list[tuple[float, float]](), game.initial(), 0
    for _ in range(SAMPLE):
        moves = [] if plies == LONGEST_GAME or game.terminal(state) else game.steps(state)
        if not moves:
            state, plies = game.initial(), 0
            continue
        after = game.result(state, source.choice(moves))
        if not game.terminal(after):
            found.append((measure(state), measure(after)))
        state, plies = after, plies + 1
    return np.array(found).reshape(-1, 2)


def most_change(game: PatternEvaluation) -> float:
    """More than this, in the unit of the game, only one move of a thousand changes; 0 where sums have no unit."""
    unit = game.unit_of_sum[0]
    if unit == 0.0:
        return 0.0
    found = unit * steps(game, game.sum_for_max)
    return round(float(np.quantile(np.abs(found[:, 1] - found[:, 0]), SHARE)), 3) if len(found) else 0.0


def unit_by_own(game: PatternEvaluation) -> float:
    """The unit by which the sums are as great as the game's own estimates in random games; 0 if it has no unit."""
    if not (game.unit and game.win_or_loss):
        return 0.0
    middle = float(game.draw_value())
    own = steps(game, lambda s: float(game.own_estimate(s)) - middle)[:, 0]
    sums = steps(game, game.sum_for_max)[:, 0]
    shared = float(own @ sums)
    return float(f"{float(own @ own) / shared:.4g}") if shared > 0 else 0.0
