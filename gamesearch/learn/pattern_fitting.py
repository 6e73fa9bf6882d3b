"""The weights of patterns that tell the results of games best: logistic regression with a weight for each filling.

The hyperbolic tangent of the sum of a position's weights is the expected result, from -1 to 1; results between are
shares of a win (Papke and Wooldridge 1996, fractional logistic regression). That has one best solution, which gradient
steps with momentum come near to (Nesterov 1983), each weight at a pace of its own by how often it was seen.
"""

from typing import Any

import numpy as np

from gamesearch.learn.learnable import Numbers
from gamesearch.learned.patterns import LARGEST_ESTIMATE, Patterns

__all__ = ["fitted_patterns"]

PENALTIES = (3.0, 30.0)
"""Of squared weights, in positions: how often a filling has to be seen until its weight is believed by half."""
STEPS = 60
FOLDS = 5
"""One in so many games is left out to choose the penalty by."""


def fitted_patterns(patterns: Patterns, numbers: Any, results: Numbers, games: Numbers) -> tuple[Numbers, float]:
    """The weights, and the mean squared error on games that were left out.

    `numbers` has a row for each position, as `note_weights` writes it; `results` are those of the side to move.
    """
    width = sum(patterns.sizes)
    same = least_of_circle(patterns.twins)
    rows = same[numbers[:, :-1]] + numbers[:, -1:]
    goals = np.clip(results / LARGEST_ESTIMATE, -1, 1)
    left_out = games.astype(np.int64) % FOLDS == 0
    tried = []
    for penalty in PENALTIES:
        weights = regressed(rows[~left_out], goals[~left_out], patterns.size, penalty)
        errors = np.tanh(weights[rows[left_out]].sum(axis=1)) - goals[left_out]
        tried.append((float(np.mean(errors**2)) if left_out.any() else 0.0, penalty))
    loss, penalty = min(tried)
    found = regressed(rows, goals, patterns.size, penalty).reshape(-1, width)
    return found[:, same].ravel(), loss


def regressed(rows: Any, goals: Numbers, size: int, penalty: float) -> Numbers:
    """The weights for a penalty."""
    seen = np.bincount(rows.ravel(), minlength=size)
    pace = 1.0 / (rows.shape[1] * seen + penalty)  # no greater curvature: the slope of the tangent is at most 1
    weights = ahead = np.zeros(size)
    momentum = 1.0
    for _ in range(STEPS):
        errors = goals - np.tanh(ahead[rows].sum(axis=1))
        slope = np.bincount(rows.ravel(), np.repeat(errors, rows.shape[1]), size) - penalty * ahead
        before, weights = weights, ahead + pace * slope
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = weights + (momentum - 1) / following * (weights - before)
        momentum = following
    return weights


def least_of_circle(twins: Any) -> Any:
    """For each weight the least of those that symmetry makes equal to it."""
    least, at = np.arange(len(twins)), twins.copy()
    while (at != np.arange(len(twins))).any():
        least = np.minimum(least, at)
        at = np.where(at == np.arange(len(twins)), at, twins[at])
    return least
