"""What games of a match paid, on average: points, discs or seeds, where payoffs count something.

The two games of a pair share opening and dice, with sides changed: much of what dice decide cancels out between them,
and what is left is not independent. So the mean of a pair is one number, and the error follows from how pairs differ.
"""

import math
import statistics
from dataclasses import dataclass

from gamesearch.play.elo import CERTAINTY

__all__ = ["Payoffs"]


@dataclass(frozen=True)
class Payoffs:
    """What pairs of games paid a player."""

    pairs: tuple[float, ...] = ()
    """The mean of the two games of each pair."""

    @property
    def mean(self) -> float:
        """What a game paid, on average; 0 where none was played."""
        return statistics.fmean(self.pairs) if self.pairs else 0.0

    @property
    def half_interval(self) -> float | None:
        """So far to both sides of the mean lies that of very many games, with 95 %; None for less than two pairs."""
        if len(self.pairs) < 2:
            return None
        return CERTAINTY * statistics.stdev(self.pairs) / math.sqrt(len(self.pairs))
