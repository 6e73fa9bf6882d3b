"""The sequential probability ratio test: play on until it is clear which of two hypotheses holds.

The hypotheses are that the first player is `elo0`, or `elo1`, stronger (logistic Elo). A. Wald (1945) plays until the
logarithm of the likelihood ratio leaves the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha). What is random
are the scores of pairs of games, of which each hypothesis says only the mean; so the likelihood of a hypothesis is the
greatest that any distribution with its mean has (a generalized test: M. Van den Bergh, *The Generalized Sequential
Probability Ratio Test*; the distribution is that of A. Owen's *Empirical Likelihood*, 2001). It is the test of fishtest
and fastchess, `model=logistic`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gamesearch.errors import GamesearchError
from gamesearch.play.elo import SCORES, Pairs, share_of

__all__ = ["Sprt"]

MOST_ELO = 2000
"""Larger differences than this cannot be distinguished from winning every game."""
ALMOST_NONE = 1e-3
"""What stands for a score that no pair had, as in fishtest, so that each distribution can have every mean."""


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses, with the probabilities of the two errors."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often the second hypothesis is accepted although the first one holds."""
    beta: float = 0.05
    """How often the first one is accepted although the second holds."""

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise GamesearchError(f"SPRT needs two Elo differences from -{MOST_ELO} to {MOST_ELO}, the smaller first")
        if not 0 < self.alpha < 0.5 or not 0 < self.beta < 0.5:
            raise GamesearchError("SPRT needs error probabilities between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The first hypothesis is accepted at or below the lower one, the second at or above the upper one."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs) -> float:
        """The logarithm of the likelihood ratio of the two hypotheses; 0 where nothing was played."""
        if not pairs.number:
            return 0.0
        counts = [count or ALMOST_NONE for count in pairs.counts]
        number = sum(counts)
        shares = [count / number for count in counts]
        first, second = (likeliest(shares, share_of(elo)) for elo in (self.elo0, self.elo1))
        return number * math.fsum(share * math.log(b / a) for share, a, b in zip(shares, first, second, strict=True))

    def verdict(self, pairs: Pairs) -> bool | None:
        """Whether the second hypothesis is accepted, or the first one; None while it is open."""
        lower, upper = self.bounds
        ratio = self.ratio(pairs)
        return None if lower < ratio < upper else ratio >= upper


def likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution of scores with a mean under which it is likeliest to have found these shares.

    By a Lagrange multiplier it is share / (1 + t (score - mean)), where t makes the mean right. Its deviation falls
    as t rises, between the poles at which one of these probabilities is infinite: the interval is halved.
    """
    low, high = -1 / (SCORES[-1] - mean), -1 / (SCORES[0] - mean)
    for _ in range(80):
        t = (low + high) / 2
        deviation = math.fsum(p * (a - mean) / (1 + t * (a - mean)) for p, a in zip(shares, SCORES, strict=True))
        if deviation > 0:
            low = t
        else:
            high = t
    return [p / (1 + t * (a - mean)) for p, a in zip(shares, SCORES, strict=True)]
