"""Logistic regression: weights whose weighted features tell the logarithm of the odds of a win.

By iteratively reweighted least squares, that is Newton's method (McCullagh and Nelder 1989, section 4.4), with a
penalty on large weights (ridge) that cross-validation chooses.
"""

from dataclasses import dataclass

import numpy as np

from gamesearch.learn.learnable import Numbers

__all__ = ["Fit", "fitted", "log_loss", "scale_of_odds"]

PENALTIES = (0.1, 3.0, 100.0)
"""Of squared weights of features that vary by 1, in positions."""
FOLDS = 5
STEPS = 40
CONVERGED = 1e-9
FARTHEST = 30.0
"""No odds are greater than e to this power: results that features tell apart wholly have no end of the fit."""


@dataclass(frozen=True)
class Fit:
    """What a regression found."""

    weights: Numbers
    loss: float
    """The mean logarithm of the probability of what happened, negative, on games that were left out."""
    penalty: float


def probabilities(odds: Numbers) -> Numbers:
    """The probability for each logarithm of odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -FARTHEST, FARTHEST))))


def log_loss(odds: Numbers, won: Numbers) -> float:
    """How badly odds tell what happened; log 2 without any knowledge of who wins where nothing is drawn."""
    p = probabilities(odds)
    return float(-np.mean(won * np.log(p) + (1 - won) * np.log(1 - p)))


def regressed(rows: Numbers, won: Numbers, penalty: float) -> Numbers:
    """The weights of features for a penalty; those of a feature that is always the same are 0."""
    spread = np.sqrt(np.mean(rows * rows, axis=0))
    used = spread > 0
    scaled = rows[:, used] / spread[used]
    weights = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        p = probabilities(scaled @ weights)
        slope = scaled.T @ (won - p) - penalty * weights
        curvature = (scaled * (p * (1 - p))[:, None]).T @ scaled + penalty * np.eye(len(weights))
        step = np.linalg.solve(curvature, slope)
        weights += step * min(1.0, 5 / max(1e-300, np.abs(step).max()))  # not too far where odds are nearly certain
        if np.abs(step).max() < CONVERGED:
            break
    found = np.zeros(rows.shape[1])
    found[used] = weights / spread[used]
    return found


def fitted(rows: Numbers, won: Numbers, games: Numbers) -> Fit:
    """The fit with the penalty that does best on games that were left out; positions of one game stay together."""
    parts = [games.astype(np.int64) % FOLDS == fold for fold in range(FOLDS)]
    left_out = [here for here in parts if here.any() and not here.all()]

    def loss_of(penalty: float) -> float:
        losses = [log_loss(rows[here] @ regressed(rows[~here], won[~here], penalty), won[here]) for here in left_out]
        return float(np.mean(losses)) if losses else 0.0

    loss, penalty = min((loss_of(penalty), penalty) for penalty in PENALTIES)
    return Fit(regressed(rows, won, penalty), loss, penalty)


def scale_of_odds(values: Numbers, won: Numbers) -> float:
    """By what values are to be multiplied to be logarithms of odds (the K of "Texel's tuning"); 0 where none fits."""
    return max(0.0, float(regressed(values[:, None], won, PENALTIES[0])[0])) if values.any() else 0.0
