"""How much a move changes what learned patterns add to the own estimate of a game: for futility, and quiescence."""

import random

import numpy as np

from gamesearch.learned.patterns import PatternEvaluation

__all__ = ["most_change"]

SAMPLE, LONGEST_GAME = 4_000, 120
"""So many moves of random games, of so many moves at most, are looked at."""
SHARE = 0.999


def most_change(game: PatternEvaluation) -> float:
    """More than this, in the unit of the game, only one move of a thousand changes; 0 where nothing is added."""
    if game.unit_of_sum[0] == 0.0:
        return 0.0
    source, changes, state, plies = random.Random(1), list[float](), game.initial(), 0
    while len(changes) < SAMPLE:
        if game.terminal(state) or plies == LONGEST_GAME:
            state, plies = game.initial(), 0
        after = game.result(state, source.choice(game.steps(state)))
        changes.append(abs(added(game, after) - added(game, state)))
        state, plies = after, plies + 1
    return round(float(np.quantile(changes, SHARE)), 3)


def added(game: PatternEvaluation, s: object) -> float:
    """What the patterns add for Max."""
    return float(game.evaluate(s)) - float(game.own_estimate(s))
