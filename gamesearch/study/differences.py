"""Compares the events of two searches. There are two kinds of events: a search enters a node with a window, and a
search leaves a node with a value.

Two values outside of the window need not be equal, but must be on the same side of the window (Knuth and Moore 1975).
So fail-soft and fail-hard alpha-beta count as equal.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.engine.result import Observer, Value, as_value
from gamesearch.study.bench import same

__all__ = ["Difference", "Event", "Listener", "equal", "first_difference", "visits"]

ROUNDING = 1e-6
"""Two values count as equal if their difference is at most this number. Values are not exact, because means are rounded
and the value of a win includes its distance."""


@dataclass(frozen=True)
class Event:
    """An event: a search enters a node, or leaves a node."""

    path: tuple[int, ...]
    is_leaving: bool
    alpha: float | None
    beta: float | None
    value: Value | None = None
    """The value that the node returns when the search leaves it; None when the search enters the node."""


class Listener(Observer):
    """An observer that collects the events of the last search from the root. If a function deepens, this is its last
    iteration (see `note_root_value`)."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.path: list[int] = []
        self.windows: list[tuple[float | None, float | None]] = []
        self.root_moves: list[int] = []

    def iteration(self, depth: int, purpose: str) -> None:  # noqa: ARG002
        """Forget the events of the previous search."""
        self.forget()

    def forget(self) -> None:
        """Forget all events."""
        self.events.clear()
        self.path.clear()
        self.windows.clear()
        self.root_moves.clear()

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:  # noqa: ARG002
        """Collect an event: the search enters a node."""
        if ply == 0:
            self.forget()
        del self.path[ply:]
        self.windows.append((alpha, beta))
        self.events.append(Event(tuple(self.path), False, alpha, beta))

    def move(self, ply: int, move: int) -> None:
        """Remember the move to the next node."""
        if ply == 0:
            if move in self.root_moves[:1] + self.root_moves[:-1]:
                del self.events[1:]
                self.root_moves.clear()
            self.root_moves.append(move)
        self.path[ply:] = [move]

    def leave(self, ply: int, value: Any) -> None:
        """Collect an event: the search leaves a node with a value."""
        del self.path[ply:]
        self.events.append(Event(tuple(self.path), True, *self.windows.pop(), as_value(value)))


@dataclass(frozen=True)
class Difference:
    """The first difference between two searches: the event of each search, or None for a search that has already
    ended."""

    ours: Event | None
    theirs: Event | None
    before: Sequence[Event] = field(default=(), repr=False)  # the earlier events of the built-in algorithm


def equal(one: Value, other: Value) -> bool:
    """Whether two values are equal except for rounding errors."""
    return same(one, other, ROUNDING)


def visits(events: Sequence[Event]) -> list[tuple[int, ...]]:
    """The nodes in the order in which they were visited."""
    return [event.path for event in events if not event.is_leaving]


def first_difference(ours: Sequence[Event], theirs: Sequence[Event], in_order: bool) -> Difference | None:
    """The first difference between two searches. If `in_order` is true, all events are compared in order. Otherwise,
    only the values of nodes that both searches visited are compared."""
    if not in_order:
        return first_value(ours, theirs)
    for number, (event, other) in enumerate(itertools.zip_longest(ours, theirs)):
        if event is None or other is None or not alike(event, other):
            return Difference(event, other, ours[:number])
    return None


def first_value(ours: Sequence[Event], theirs: Sequence[Event]) -> Difference | None:
    """The first node for which the two searches returned different exact values."""
    left = {event.path: number for number, event in enumerate(ours) if event.is_leaving}
    for other in theirs:
        number = left.get(other.path) if other.is_leaving else None
        if number is not None and is_inside(ours[number]) and is_inside(other):
            if not same_value(ours[number], other):
                return Difference(ours[number], other, ours[:number])
    return None


def alike(ours: Event, theirs: Event) -> bool:
    """Whether two events agree. Two searches agree if they enter the same node with the same window. They also agree if
    they leave the same node with equal values, or with values on the same side of the window."""
    if ours.path != theirs.path or ours.is_leaving != theirs.is_leaving:
        return False
    if ours.is_leaving:
        return same_value(ours, theirs)
    return fits_bound(ours.alpha, theirs.alpha) and fits_bound(ours.beta, theirs.beta)


def fits_bound(ours: float | None, theirs: float | None) -> bool:
    """Whether the bound `theirs` of the checked algorithm agrees with the bound `ours` of the built-in algorithm. A
    bound that is None is unknown and always agrees. If `ours` is infinite, every bound agrees.

    So an algorithm may begin with bounds such as -1000 and 1000 instead of minus and plus infinity.
    """
    return ours is None or theirs is None or math.isinf(ours) or equal(ours, theirs)


def is_inside(event: Event) -> bool:
    """Whether the value of an event lies inside the window. If so, the value is exact and not only a bound."""
    value = event.value
    if event.alpha is None or event.beta is None or isinstance(value, tuple) or value is None:
        return True
    return event.alpha < value < event.beta


def same_value(ours: Event, theirs: Event) -> bool:
    """Whether the values of two events are equal, or on the same side of the window."""
    one, other = ours.value, theirs.value
    if one is None or other is None or equal(one, other):
        return True
    if is_inside(ours) or isinstance(one, tuple) or isinstance(other, tuple):
        return False
    assert ours.alpha is not None
    assert ours.beta is not None
    return other <= ours.alpha + ROUNDING if one <= ours.alpha else other >= ours.beta - ROUNDING
