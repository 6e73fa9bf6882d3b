"""How sure an average is."""

import math

__all__ = ["interval"]

LIKELY = 1.959963984540054
"""So many standard errors to either side hold 95 % of a normal distribution."""


def interval(extremes: tuple[float, float], total: float, squares: float, visits: int) -> tuple[float, float]:
    """Where the expected payoff is, with 95 % confidence, when so many payoffs and their squares add up to these.

    One more payoff of each extreme is counted in. Where few games all end alike, the interval is not a point
    (A. Agresti and B. A. Coull 1998, "Approximate is better than exact for interval estimation of binomial
    proportions", The American Statistician 52).
    """
    (least, greatest), count = extremes, visits + 2
    mean = (total + least + greatest) / count
    variance = max(0.0, (squares + least * least + greatest * greatest) / count - mean * mean)
    error = LIKELY * math.sqrt(variance / count)
    return max(least, mean - error), min(greatest, mean + error)
