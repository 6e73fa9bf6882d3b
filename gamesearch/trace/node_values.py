"""What a node of a growing tree is worth from one event on: by what is below it, or by what its playouts paid."""

import bisect
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard, TypeVar

from gamesearch.algorithms.engine.formatting import data_number, share_text, value_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.algorithms.tree_search.sampling import interval

__all__ = [
    "NONE",
    "STUCK",
    "Number",
    "Payoff",
    "Scale",
    "Standing",
    "Tally",
    "answer_of",
    "cost_standing",
    "is_solved",
    "numbers",
    "standing_in",
    "until",
]

Number = int | float | list[Any] | None
"""A value as JSON says it: Max's; a list with each of several players'; one of a proof number and a disproof number,
null for a number that is infinite; or a list of a cost alone, null or `stuck`."""
Payoff = int | float | list[int | float] | None
"""As JSON says it: Max's, or a list with each of several players'."""
STUCK = "stuck"
"""The cost, on a graph, of a position from which the way leads back to itself."""


class Standing(NamedTuple):
    """What a node is worth from an event on."""

    event: int
    value: Number
    shown: str
    """The value as people read it."""
    bound: str
    """`exact`, also of proof numbers and costs, or `estimate`."""
    deviation: float | None = None
    """By how much a belief is off: a standard deviation."""
    share: float | None = None
    """How probably the move to it is the best of the root."""
    interval: tuple[float, float] | None = None
    interval_shown: str = ""
    """Where the expected payoff is, of the average of playouts."""

    @property
    def beside(self) -> str:
        """How sure the value is, as people read it."""
        off = "" if self.deviation is None else f"deviation {value_text(round(self.deviation, 2))}"
        best = "" if self.share is None else f"best {share_text(self.share)}"
        return ", ".join(filter(None, (self.interval_shown, off, best)))


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
        has_ends, extremes = not is_end and len(means) == 1, (self.least, self.greatest)
        ends = interval(extremes, tally.totals[0], tally.squares, tally.visits) if has_ends else None
        return Standing(
            tally.event,
            data_number(value),
            self.shown(value),
            bound="exact" if is_end else "estimate",
            interval=ends,
            interval_shown=f"[{', '.join(self.shown(round(end, 2)) for end in ends)}]" if ends else "",
        )

    def shown(self, value: Value) -> str:
        """A payoff as people read it."""
        return value_text(value, signed=self.signed)


Each = TypeVar("Each", Standing, Tally)


def until(history: Sequence[Each], moment: float) -> Each | None:
    """The last of what held from one event on after the other, at a moment; None before the first."""
    place = bisect.bisect_right(history, moment, key=lambda each: each.event)
    return history[place - 1] if place else None


def cost_standing(cost: int | str | None, number: int) -> Standing:
    """What a cost says, which the event of this number has found; None is infinite."""
    return Standing(number, [cost], STUCK if cost == STUCK else f"cost {'inf' if cost is None else cost}", "exact")


def is_solved(value: Number) -> TypeGuard[list[Any]]:
    """Whether proof numbers, or a cost, decide a node: one of them is 0 or infinite."""
    return isinstance(value, list) and (0 in value or None in value)


def standing_in(event: Mapping[str, Any], number: int) -> Standing:
    """What the event of this number says; raises KeyError where it says nothing."""
    return Standing(number, event["value"], event["shown"], event["bound"], event.get("deviation"))


def answer_of(value: Number, attacker: str) -> bool | None:
    """Whether proof numbers, or the cost of an attacker, say that Max gets what is asked; None where they are open."""
    return (value[0] == 0) == (attacker != "Min") if is_solved(value) else None


def numbers(value: Number) -> tuple[float, ...]:
    """A value as numbers: one, or one for each player; or a proof number and a disproof number."""
    if isinstance(value, list):
        return tuple(math.inf if each is None else float(each) for each in value)
    return () if value is None else (float(value),)
