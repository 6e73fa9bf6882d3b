"""What playouts through a node paid, added up."""

from typing import NamedTuple

from gamesearch.algorithms.parts.formatting import data_number, value_text
from gamesearch.algorithms.parts.result import Value
from gamesearch.algorithms.parts.sampling import interval

__all__ = ["NONE", "Payoff", "Scale", "Tally"]

Payoff = int | float | list[int | float] | None
"""As JSON says it: Max's, or a list with each of several players'."""


class Tally(NamedTuple):
    """The playouts through a node up to an event."""

    event: int
    """The number of the event that counted the last of them."""
    visits: int
    totals: tuple[float, ...]
    squares: float
    """Of Max's payoffs, or the first player's, added up."""

    def after(self, event: int, payoff: Payoff) -> "Tally":
        """With one playout more; raises TypeError for what is no payoff."""
        paid = tuple(map(float, payoff)) if isinstance(payoff, list) else (float(payoff),)  # type: ignore[arg-type]
        before = self.totals or (0.0,) * len(paid)
        totals = tuple(total + one for total, one in zip(before, paid, strict=True))
        return Tally(event, self.visits + 1, totals, self.squares + paid[0] * paid[0])


NONE = Tally(-1, 0, (), 0.0)
"""No playout yet."""


class Scale(NamedTuple):
    """How the payoffs of a game are told."""

    least: float
    greatest: float
    signed: bool
    """Whether a win is written with its sign."""

    def average(self, tally: Tally) -> tuple[Payoff, str]:
        """The average payoff, as JSON and as people say it."""
        means = tuple(total / tally.visits for total in tally.totals)
        value: Value = means if len(means) > 1 else means[0]
        return data_number(value), self.shown(value)

    def interval(self, tally: Tally) -> tuple[float, float] | None:
        """Where the expected payoff is with 95 % confidence, as if playouts did not depend on each other; None for
        more than two players."""
        if len(tally.totals) > 1:
            return None
        return interval((self.least, self.greatest), tally.totals[0], tally.squares, tally.visits)

    def interval_shown(self, tally: Tally) -> str:
        """That interval as people read it; empty without one."""
        ends = self.interval(tally)
        return "" if ends is None else f"[{', '.join(self.shown(round(end, 2)) for end in ends)}]"

    def shown(self, value: Value) -> str:
        """A payoff as people read it."""
        return value_text(value, signed=self.signed)
