"""How sure an average is."""

import math

from gamesearch.compiler import kernel

__all__ = ["interval", "mean_and_error"]

LIKELY = 1.959963984540054
"""So many standard errors to either side hold 95 % of a normal distribution."""


def interval(extremes: tuple[float, float], total: float, squares: float, visits: int) -> tuple[float, float]:
    """Where the expected payoff is, with 95 % confidence, when so many payoffs and their squares add up to these."""
    least, greatest = extremes
    mean, error = mean_and_error(least, greatest, total, squares, visits)
    return max(least, mean - LIKELY * error), min(greatest, mean + LIKELY * error)


@kernel
def mean_and_error(least: float, greatest: float, total: float, squares: float, visits: int) -> tuple[float, float]:
    """The mean of so many payoffs, and its standard error, when they and their squares add up to these.

    One more payoff of each extreme is counted in. Where few games all end alike, the error is not 0 (A. Agresti and
    B. A. Coull 1998, "Approximate is better than exact for interval estimation of binomial proportions", The American
    Statistician 52).
    """
    count = visits + 2
    mean = (total + least + greatest) / count
    variance = max(0.0, (squares + least * least + greatest * greatest) / count - mean * mean)
    return mean, math.sqrt(variance / count)
