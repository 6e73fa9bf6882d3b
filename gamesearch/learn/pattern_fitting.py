"""The weights of patterns that tell the results of games best: logistic regression with a weight for each filling.

The hyperbolic tangent of the sum of a position's weights is the expected result, from -1 to 1; results between are
shares of a win (Papke and Wooldridge 1996, fractional logistic regression). That has one best solution, which gradient
steps with momentum come near to (Nesterov 1983), each weight at a pace of its own by how often it was seen.
"""

from typing import Any, NamedTuple

import numpy as np

from gamesearch.learn.learnable import Numbers
from gamesearch.learned.patterns import LARGEST_ESTIMATE, NO_WEIGHT, Patterns

__all__ = ["fitted_patterns"]

PENALTIES = (3.0, 30.0, 300.0)
"""Of squared weights, in positions: how often a filling has to be seen until its weight is believed by half,"""
SMOOTHNESS = (10.0, 30.0, 100.0, 300.0)
"""and of squared differences between neighbours, where patterns are cells."""
STEPS = 60
FOLDS = 5
"""One in so many games is left out to choose the penalty by."""


def fitted_patterns(
    patterns: Patterns, numbers: Any, results: Numbers, games: Numbers, known: Numbers
) -> tuple[Numbers, float]:
    """The weights, and the mean squared error on games that were left out.

    `numbers` has a row for each position, as `note_weights` writes it; `results` are those of the side to move, and the
    weights of a position are added to what is `known` of it.
    """
    same = patterns.least_twins
    rows = np.where(numbers[:, :-1] == NO_WEIGHT, patterns.size, same[numbers[:, :-1]] + numbers[:, -1:])
    goals = np.clip(results / LARGEST_ESTIMATE, -1, 1)
    left_out = games.astype(np.int64) % FOLDS == 0
    tried = []
    for each in beliefs(patterns):
        weights = regressed(rows[~left_out], goals[~left_out], known[~left_out], each)
        errors = np.tanh(known[left_out] + np.append(weights, 0.0)[rows[left_out]].sum(axis=1)) - goals[left_out]
        tried.append((float(np.mean(errors**2)) if left_out.any() else 0.0, each))
    loss, belief = min(tried, key=lambda each: each[0])
    found = regressed(rows, goals, known, belief)
    if patterns.is_by_cell and known.any():
        found = nearer_to_known(found, np.bincount(rows.ravel(), minlength=patterns.size + 1)[:-1] > 0, patterns)
    return found.reshape(patterns.stages, -1)[:, same].ravel(), loss


def nearer_to_known(weights: Numbers, seen: Any, patterns: Patterns) -> Numbers:
    """The weights of cells, less half of what each thing adds in each stage wherever it is.

    What is known says what a thing is worth. Games that are won anyway make a queen of an ending worth little more than
    a rook: 57 % of 200 games of chess by half of that, 59 % by all, and 50 % by nothing.
    """
    found, used = (each.reshape(patterns.stages, -1, patterns.things) for each in (weights, seen))
    means = (found * used).sum(axis=1) / np.maximum(1, used.sum(axis=1))
    return np.asarray((found - means[:, None, :] / 2).ravel())


class Belief(NamedTuple):
    """What is believed of weights before anything was seen: that they are small, and near to those of neighbours."""

    size: int
    """The number of weights; in place of the number of one, it stands for none."""
    penalty: float
    smoothness: float
    neighbours: Any
    """Pairs of weights."""

    @property
    def curvature(self) -> Any:
        """How much steeper each weight becomes at most, if all change."""
        pairs = np.bincount(self.neighbours.ravel(), minlength=self.size + 1)
        return self.penalty + 2 * self.smoothness * pairs

    def pull(self, weights: Numbers) -> Any:
        """How strongly each weight is drawn back."""
        one, other = self.neighbours.T
        apart = self.smoothness * (weights[one] - weights[other])
        length = self.size + 1
        return self.penalty * weights + np.bincount(one, apart, length) - np.bincount(other, apart, length)


def beliefs(patterns: Patterns) -> list[Belief]:
    """What is tried."""
    if patterns.is_by_cell:
        return [Belief(patterns.size, PENALTIES[0], each, patterns.neighbours) for each in SMOOTHNESS]
    return [Belief(patterns.size, penalty, 0.0, np.zeros((0, 2), np.int64)) for penalty in PENALTIES]


def regressed(rows: Any, goals: Numbers, known: Numbers, belief: Belief) -> Numbers:
    """The weights by what was seen and what is believed."""
    size = belief.size
    seen = np.bincount(rows.ravel(), minlength=size + 1)
    most = (rows < size).sum(axis=1).max(initial=0)
    pace = 1.0 / (most * seen + belief.curvature)  # no greater curvature: the slope of the tangent is at most 1
    pace[size] = 0.0
    weights = ahead = np.zeros(size + 1)
    momentum = 1.0
    for _ in range(STEPS):
        errors = goals - np.tanh(known + ahead[rows].sum(axis=1))
        slope = np.bincount(rows.ravel(), np.repeat(errors, rows.shape[1]), size + 1) - belief.pull(ahead)
        before, weights = weights, ahead + pace * slope
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = weights + (momentum - 1) / following * (weights - before)
        momentum = following
    return weights[:size]
