"""What playouts through a node paid, added up."""

import bisect
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from gamesearch.algorithms.parts.confidence import interval
from gamesearch.algorithms.parts.formatting import data_number, value_text
from gamesearch.algorithms.parts.result import Value
from gamesearch.trace.standing import Standing

__all__ = ["NONE", "Payoff", "Scale", "Tally", "until"]

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

    def standing(self, tally: Tally, is_end: bool = False) -> Standing:
        """What a node is worth by its playouts: their average, and where the expected payoff is with 95 % confidence.

        That is as if playouts did not depend on each other, and is not told of more than two players.
        """
        means = tuple(total / tally.visits for total in tally.totals)
        value: Value = means if len(means) > 1 else means[0]
        known = Standing(tally.event, data_number(value), self.shown(value), "exact" if is_end else "estimate")
        if is_end or len(means) > 1:
            return known
        ends = interval((self.least, self.greatest), tally.totals[0], tally.squares, tally.visits)
        shown = f"[{', '.join(self.shown(round(end, 2)) for end in ends)}]"
        return known._replace(interval=ends, interval_shown=shown)

    def shown(self, value: Value) -> str:
        """A payoff as people read it."""
        return value_text(value, signed=self.signed)


Each = TypeVar("Each", Standing, Tally)


def until(history: Sequence[Each], moment: float) -> Each | None:
    """The last of what held from one event on after the other, at a moment; None before the first."""
    place = bisect.bisect_right(history, moment, key=lambda each: each.event)
    return history[place - 1] if place else None
