"""Computes the Elo difference between two players, and runs the sequential probability ratio test.

The two games of a pair have the same opening and the same dice, so they are not independent. But different pairs are
independent. All results follow from the numbers of pairs that scored 0, 1/2, 1, 3/2 or 2 points (the pentanomial model;
M. Van den Bergh, *Normalized Elo*, 2021, and the fishtest framework of Stockfish). Let s be the player's share of all
points in N pairs, and v the variance of the player's share in one pair. Then the standard error of s is sqrt(v / N),
and

- Elo = -400 log10(1/s - 1) (A. Elo, 1978, logistic form); the ends of the 95 % interval are given by the same formula
  for s minus and s plus 1.96 standard errors;
- normalized Elo = (s - 1/2) / sqrt(2 v) * 800 / ln 10, which can be compared between matches with many and with few
  draws;
- the likelihood of superiority is the probability that a normally distributed number with mean s and standard deviation
  sqrt(v / N) is greater than 1/2.

The sequential probability ratio test (A. Wald, 1945) continues a match until one of two hypotheses is accepted: that
the first player is stronger by `elo0`, or by `elo1` (logistic Elo). The test ends when the log-likelihood ratio is
outside of the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha). A hypothesis determines only the mean
score of a pair. The likelihood of the hypothesis is computed from the most likely distribution with this mean (M. Van
den Bergh, *The Generalized Sequential Probability Ratio Test*; for the distribution, A. Owen, *Empirical Likelihood*,
2001). The programs fishtest and fastchess use the same test (`model=logistic`).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from gamesearch.errors import GamesearchError

__all__ = ["CERTAINTY", "Pairs", "Sprt", "elo_of", "share_of"]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the possible scores of a pair, as shares of its two points
CERTAINTY = NormalDist().inv_cdf(0.975)  # half the width of a 95 % confidence interval, divided by the standard error


def elo_of(share: float) -> float:
    """The Elo difference at which a player is expected to score a given share of the points.

    >>> round(elo_of(0.75)), elo_of(0.0)
    (191, -inf)
    """
    if not 0 < share < 1:
        return math.inf if share >= 1 else -math.inf
    return -400 * math.log10(1 / share - 1)


def share_of(elo: float) -> float:
    """The share of the points that a player is expected to score, given the Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Pairs:
    """The numbers of game pairs in which the player scored 0, 1/2, 1, 1 1/2 and 2 points."""

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> "Pairs":
        """Each number in `points` is the score of a pair, from 0 to 2. Count the pairs with each score."""
        found = Counter(round(2 * each) for each in points)
        return cls(tuple(found[each] for each in range(5)))

    def __post_init__(self) -> None:
        if len(self.counts) != 5 or min(self.counts) < 0:
            raise GamesearchError(f"the results of pairs must be five numbers of at least 0, not {list(self.counts)}")

    @property
    def number(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def share(self) -> float:
        """The share of all points that the player scored; 1/2 if no game was played."""
        return moment(self.counts, 0.0, 1) if self.number else 0.5

    @property
    def variance(self) -> float:
        """The variance of the share of points in one pair."""
        return moment(self.counts, self.share, 2) if self.number else 0.0

    @property
    def error(self) -> float:
        """The standard error of `share`."""
        return math.sqrt(self.variance / self.number) if self.number else 0.0

    @property
    def elo(self) -> float:
        """The Elo difference; infinite if the player won every point or lost every point."""
        return elo_of(self.share)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the Elo difference; None if all pairs have the same score."""
        margin = CERTAINTY * self.error
        return (elo_of(self.share - margin), elo_of(self.share + margin)) if self.variance else None

    @property
    def normalized_elo(self) -> float | None:
        """The Elo difference, measured in standard deviations of the score of one game. None if all pairs scored the
        same."""
        return (self.share - 0.5) / math.sqrt(2 * self.variance) * 800 / math.log(10) if self.variance else None

    @property
    def normalized_interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the normalized Elo; None if all pairs have the same score."""
        elo = self.normalized_elo
        margin = CERTAINTY / math.sqrt(2 * self.number) * 800 / math.log(10) if self.number else 0.0
        return None if elo is None else (elo - margin, elo + margin)

    @property
    def superiority(self) -> float | None:
        """The likelihood that the player is stronger; None if all pairs have the same score."""
        return NormalDist(0.5, self.error).cdf(self.share) if self.error > 0 else None

    def plus(self, points: float) -> "Pairs":
        """Count one more pair, which scored `points`; returns the new counts."""
        return Pairs(tuple(count + (round(2 * points) == place) for place, count in enumerate(self.counts)))


def moment(counts: Sequence[float], center: float, power: int) -> float:
    """The mean of (score - center) ** power over all pairs."""
    powers = (count * (score - center) ** power for count, score in zip(counts, SCORES, strict=True))
    return math.fsum(powers) / sum(counts)


MOST_ELO = 2000  # the greatest difference in a hypothesis; the stronger player would win practically every game
ALMOST_NONE = 1e-3  # this number replaces the count 0 if no pair had a score (as in fishtest)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two hypotheses, which are Elo differences."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # the probability of accepting the second hypothesis although the first is true
    beta: float = 0.05  # the probability of accepting the first hypothesis although the second is true

    def __post_init__(self) -> None:
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise GamesearchError(f"SPRT needs two Elo differences from -{MOST_ELO} to {MOST_ELO}, the smaller first")
        if not 0 < self.alpha < 0.5 or not 0 < self.beta < 0.5:
            raise GamesearchError("SPRT needs error probabilities between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of `ratio`. If `ratio` reaches the lower bound, the first hypothesis is accepted; if it reaches
        the upper bound, the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Pairs) -> float:
        """The logarithm of the likelihood ratio of the two hypotheses; 0 if no game was played."""
        if not pairs.number:
            return 0.0
        counts = [count or ALMOST_NONE for count in pairs.counts]
        number = sum(counts)
        shares = [count / number for count in counts]
        first, second = (fit_likelihood(shares, share_of(elo)) for elo in (self.elo0, self.elo1))
        return number * math.fsum(share * math.log(b / a) for share, a, b in zip(shares, first, second, strict=True))

    def verdict(self, pairs: Pairs) -> bool | None:
        """True if the second hypothesis is accepted, False if the first is accepted, None if the test continues."""
        lower, upper = self.bounds
        ratio = self.ratio(pairs)
        return None if lower < ratio < upper else ratio >= upper


def fit_likelihood(shares: Sequence[float], mean: float) -> list[float]:
    """Several distributions of scores have the given mean. Find the one that makes the observed `shares` most probable.

    The probabilities are share / (1 + t (score - mean)), where t is a Lagrange multiplier. The mean of this
    distribution decreases as t increases, so t is found by bisection. It lies between two values at which a probability
    becomes infinite.
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
