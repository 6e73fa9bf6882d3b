"""The scales of charts: from a number to its height, and where numbers stand beside the axis."""

import math
from collections.abc import Iterable

from gamesearch.algorithms.engine.formatting import value_text

__all__ = ["ChartScale", "Decades", "Span"]

ROWS_OF_DECADE = 4
"""How many lines a factor of ten has at the most."""
MOST_ROWS = 20
SPAN_ROWS = 12
"""The lines of a linear scale."""
SPAN_MARKS = 4
"""Into how many parts a linear scale is marked."""


class Decades:
    """A logarithmic scale, from 1 to a power of ten."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self.decades = math.ceil(math.log10(max([10.0, *numbers])))

    @property
    def rows(self) -> int:
        """How many lines it has in characters, besides the first."""
        return self.decades * max(1, min(ROWS_OF_DECADE, MOST_ROWS // self.decades))

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The powers of ten."""
        return [(power / self.decades, f"{10**power:,}") for power in range(self.decades + 1)]

    def share(self, number: float) -> float:
        """How high a number stands, from 0 to 1."""
        return math.log10(max(1.0, number)) / self.decades


class Span:
    """A linear scale from the least of some numbers to the greatest."""

    def __init__(self, numbers: Iterable[float]) -> None:
        found = list(numbers) or [0.0]
        self.least, self.greatest = min(found), max(found)
        if self.least == self.greatest:
            self.least, self.greatest = self.least - 1, self.greatest + 1
        self.rows = SPAN_ROWS

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The ends, and what stands at equal distances between them."""
        shares = [part / SPAN_MARKS for part in range(SPAN_MARKS + 1)]
        return [(share, value_text(round(self.least + share * (self.greatest - self.least), 4))) for share in shares]

    def share(self, number: float) -> float:
        """How high a number stands, from 0 to 1."""
        return (number - self.least) / (self.greatest - self.least)


ChartScale = Decades | Span
"""What charts ask how high a number stands, which numbers are marked, and how many lines there are in characters."""
