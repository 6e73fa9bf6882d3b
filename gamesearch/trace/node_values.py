"""The values of nodes in a growing tree. A value changes from event to event: it is backed up from the children, or is
an average of playouts."""

import bisect
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard, TypeVar

from gamesearch.algorithms.engine.formatting import data_number, share_text, value_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.algorithms.tree_search.sampling import interval

__all__ = [
    "NO_PLAYOUTS", "STUCK", "NodeValue", "Number", "Payoff", "PayoffScale", "PlayoutTotals", "answer_of",
    "cost_value", "is_solved", "latest", "numbers", "value_in",
]  # fmt: skip

Number = int | float | list[Any] | None
"""A value in JSON: a number for Max, or a list. The list contains one of these: the values of all players; a proof
number and a disproof number; a single cost. Infinite numbers are null. A cost can be `stuck`."""
Payoff = int | float | list[int | float] | None
"""A payoff in JSON: a number for Max, or a list with the payoff of each player."""
STUCK = "stuck"
"""The cost of a position from which every move leads back to a position on the path."""


class NodeValue(NamedTuple):
    """The value that a node has after an event."""

    event: int
    value: Number
    shown: str
    """The value as text."""
    bound: str
    """`exact` or `estimate`; proof numbers and costs are exact."""
    deviation: float | None = None
    """The standard deviation of a belief."""
    share: float | None = None
    """The probability that the move to this node is the best move at the root."""
    interval: tuple[float, float] | None = None
    interval_shown: str = ""
    """The confidence interval of the expected payoff as text, if the value is an average of playouts."""

    @property
    def certainty(self) -> str:
        """The certainty of the value as text."""
        off = "" if self.deviation is None else f"deviation {value_text(round(self.deviation, 2))}"
        best = "" if self.share is None else f"best {share_text(self.share)}"
        return ", ".join(filter(None, (self.interval_shown, off, best)))


class PlayoutTotals(NamedTuple):
    """Sums over all playouts through a node, up to a given event."""

    event: int
    """The number of the event that counted the last playout."""
    visits: int
    totals: tuple[float, ...]
    squares: float
    """The sum of the squares of Max's payoffs. If there are more than two players, the payoffs are those of the first
    player."""

    def after(self, event: int, payoff: Payoff) -> "PlayoutTotals":
        """The totals after one more playout. Raises TypeError if `payoff` has the wrong type."""
        paid = tuple(map(float, payoff)) if isinstance(payoff, list) else (float(payoff),)  # type: ignore[arg-type]
        before = self.totals or (0.0,) * len(paid)
        totals = tuple(total + one for total, one in zip(before, paid, strict=True))
        return PlayoutTotals(event, self.visits + 1, totals, self.squares + paid[0] * paid[0])


NO_PLAYOUTS = PlayoutTotals(-1, 0, (), 0.0)
"""The totals of a node before its first playout."""


class PayoffScale(NamedTuple):
    """The least and the greatest payoff of a game, and whether payoffs are written with a sign."""

    least: float
    greatest: float
    signed: bool
    """Whether payoffs are written with a sign, such as +1."""

    def average(self, totals: PlayoutTotals, is_end: bool = False) -> NodeValue:
        """The average of the playouts through a node, and the 95 % confidence interval of the expected payoff.

        The interval assumes that playouts are independent. The interval is missing if there are more than two players.
        """
        means = tuple(total / totals.visits for total in totals.totals)
        value: Value = means if len(means) > 1 else means[0]
        has_ends, extremes = not is_end and len(means) == 1, (self.least, self.greatest)
        ends = interval(extremes, totals.totals[0], totals.squares, totals.visits) if has_ends else None
        return NodeValue(
            totals.event,
            data_number(value),
            self.format_payoff(value),
            bound="exact" if is_end else "estimate",
            interval=ends,
            interval_shown=f"[{', '.join(self.format_payoff(round(end, 2)) for end in ends)}]" if ends else "",
        )

    def format_payoff(self, value: Value) -> str:
        """A payoff as text."""
        return value_text(value, signed=self.signed)


Each = TypeVar("Each", NodeValue, PlayoutTotals)


def latest(history: Sequence[Each], moment: float) -> Each | None:
    """The last entry of a history up to the event `moment`; None if all entries are later."""
    place = bisect.bisect_right(history, moment, key=lambda each: each.event)
    return history[place - 1] if place else None


def cost_value(cost: int | str | None, number: int) -> NodeValue:
    """The value of a node after event `number` has set its cost. A cost of None is infinite."""
    return NodeValue(number, [cost], STUCK if cost == STUCK else f"cost {'inf' if cost is None else cost}", "exact")


def is_solved(value: Number) -> TypeGuard[list[Any]]:
    """Whether a node is proven or disproven. This is so if its proof number, its disproof number or its cost is 0 or
    infinite."""
    return isinstance(value, list) and (0 in value or None in value)


def value_in(event: Mapping[str, Any], number: int) -> NodeValue:
    """The value that an event contains. `number` is the number of the event. Raises KeyError if the event has no
    value."""
    return NodeValue(number, event["value"], event["shown"], event["bound"], event.get("deviation"))


def answer_of(value: Number, attacker: str) -> bool | None:
    """True if proof numbers, or the attacker's cost, prove that Max can get the goal; False if they prove that Max
    cannot; None if they prove neither."""
    return (value[0] == 0) == (attacker != "Min") if is_solved(value) else None


def numbers(value: Number) -> tuple[float, ...]:
    """Convert a value to a tuple: one number, a number for each player, or a proof number and a disproof number."""
    if isinstance(value, list):
        return tuple(math.inf if each is None else float(each) for each in value)
    return () if value is None else (float(value),)
