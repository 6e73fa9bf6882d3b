"""What a node of a growing tree is worth from one event on."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeGuard

from gamesearch.algorithms.parts.formatting import share_text, value_text

__all__ = ["STUCK", "Number", "Standing", "cost_standing", "is_solved", "standing_in"]

Number = int | float | list[Any] | None
"""A value as JSON says it: Max's; a list with each of several players'; one of a proof number and a disproof number,
null for a number that is infinite; or a list of a cost alone, null or `stuck`."""
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


def cost_standing(cost: int | str | None, number: int) -> Standing:
    """What a cost says, which the event of this number has found; None is infinite."""
    return Standing(number, [cost], STUCK if cost == STUCK else f"cost {'inf' if cost is None else cost}", "exact")


def is_solved(value: Number) -> TypeGuard[list[Any]]:
    """Whether proof numbers, or a cost, decide a node: one of them is 0 or infinite."""
    return isinstance(value, list) and (0 in value or None in value)


def standing_in(event: Mapping[str, Any], number: int) -> Standing:
    """What the event of this number says; raises KeyError where it says nothing."""
    return Standing(number, event["value"], event["shown"], event["bound"], event.get("deviation"))
