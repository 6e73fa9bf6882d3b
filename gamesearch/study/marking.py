"""Marks an algorithm: runs it beside one of ours on small positions, and finds the first node where they differ.

Two searches are compared as sequences of events: a node is entered in a window, and left with a value. An algorithm
that prunes need not return the same value for a node that is outside the window, only one on the same side of it
(Knuth and Moore 1975): so fail-soft and fail-hard alpha-beta agree.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.own.algorithm import OwnAlgorithm
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Limits, Monitor, Observer, SearchResult, Value, as_value
from gamesearch.algorithms.parts.searcher import search_with
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.study.bench import same
from gamesearch.study.exercises import Exercise, exercises, exercises_of

__all__ = ["KINDS", "SECONDS", "Difference", "Event", "Marking", "Verdict", "first_difference", "mark", "whose_turn"]

EXPECTIMINIMAX = "expectiminimax(pruning=none, order=generated)"
ROUNDING = 1e-6
"""Values closer than this are equal: ours are adjusted for ply, and expectations are rounded."""
MORE_NODES, TIMES_NODES = 2_000, 50
"""An algorithm is stopped after so many more nodes than ours."""
DEPTHS = (1, 2, 3)
"""The depths to which positions of a game that was asked for are searched."""
SECONDS = 5.0
"""After this an algorithm is taken for one that does not end."""
MOST_UNFINISHED = 3
"""After so many positions that it did not finish, the others are left out."""


@dataclass(frozen=True)
class Event:
    """A node is entered, or left."""

    path: tuple[int, ...]
    """The moves from the root."""
    is_leaving: bool
    alpha: float | None
    beta: float | None
    value: Value | None = None
    """What was returned, where it is left."""


class Listener(Observer):
    """Collects the events of the last search from the root; those that it does not define are ignored."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.path: list[int] = []
        self.windows: list[tuple[float | None, float | None]] = []

    def iteration(self, depth: int, purpose: str) -> None:  # noqa: ARG002
        """Begin anew."""
        self.events.clear()
        self.path.clear()
        self.windows.clear()

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:  # noqa: ARG002
        """Note a node."""
        del self.path[ply:]
        self.windows.append((alpha, beta))
        self.events.append(Event(tuple(self.path), False, alpha, beta))

    def move(self, ply: int, move: int) -> None:
        """Note where the next node is."""
        self.path[ply:] = [move]

    def leave(self, ply: int, value: Any) -> None:
        """Note what a node returned."""
        del self.path[ply:]
        self.events.append(Event(tuple(self.path), True, *self.windows.pop(), as_value(value)))


@dataclass(frozen=True)
class Difference:
    """The first event in which two searches differ; None for one that has ended."""

    ours: Event | None
    theirs: Event | None
    before: Sequence[Event] = field(default=(), repr=False)
    """The events of ours up to there."""


KINDS = {
    "error": "fails",
    "value": "other value",
    "unfinished": "too long",
    "move": "worse move",
    "visits": "other order",
}
"""In what an algorithm may differ, the gravest first, and the words for it at the head of a column."""


@dataclass(frozen=True)
class Verdict:
    """What came of one exercise."""

    exercise: Exercise
    kind: str
    """`agrees`, or in what it differs: one of KINDS."""
    ours: SearchResult
    theirs: SearchResult | None = None
    message: str = ""
    """The error that was raised."""
    difference: Difference | None = None


@dataclass(frozen=True)
class Marking:
    """What came of all exercises."""

    algorithm: str
    against: str
    with_visits: bool
    """Whether the order of visits was compared, too."""
    verdicts: Sequence[Verdict]

    @property
    def agreeing(self) -> int:
        """On how many positions the two agree."""
        return sum(each.kind == "agrees" for each in self.verdicts)

    @property
    def worst(self) -> Verdict | None:
        """Of those that differ in the gravest way, the smallest tree, or the smallest search; None where all agree."""
        kinds, groups = list(KINDS), list(dict.fromkeys(each.exercise.group for each in self.verdicts))

        def rank(each: Verdict) -> tuple[int, int, int]:
            return kinds.index(each.kind), groups.index(each.exercise.group), each.ours.statistics.nodes

        return min((each for each in self.verdicts if each.kind != "agrees"), key=rank, default=None)


def default_opponent(algorithm: Algorithm) -> str:
    """The algorithm of ours that another is compared with: the one that visits the same nodes."""
    if algorithm.narrows_windows:
        return "alphabeta"
    return EXPECTIMINIMAX if algorithm.handles_chance else "minimax"


def mark(
    text: str,
    against: str = "",
    games: Sequence[str] = (),
    *,
    only_values: bool = False,
    seed: int = 1,
    monitor: Monitor | None = None,
) -> Marking:
    """What comes of an algorithm on all exercises, or on positions of the given games.

    The order of visits is compared with the algorithm of ours that should visit the same nodes, unless `only_values`.
    """
    theirs = load_algorithm(text)
    usual = default_opponent(theirs)
    against = against or usual
    has_depths = theirs.has_depth
    chosen = list(exercises(has_depths, theirs.handles_chance and load_algorithm(against).handles_chance, seed))
    if games:
        depths = DEPTHS if has_depths else (0,)
        chosen = [each for name in games for each in exercises_of(name, depths, seed)]
        for each in chosen:
            theirs.fits(each.game)
    with_visits = not only_values and against.partition("(")[0] == usual.partition("(")[0]
    verdicts: list[Verdict] = []
    for exercise in chosen:
        unfinished = sum(each.kind == "unfinished" for each in verdicts)
        if unfinished == MOST_UNFINISHED or (monitor is not None and monitor.interrupted):
            break
        ours = load_algorithm(against, {"distance": False})
        # Loaded anew each time: an algorithm with a memory begins each exercise without one.
        verdicts.append(verdict(load_algorithm(text), ours, exercise, with_visits))
    return Marking(theirs.specification, against, with_visits, verdicts)


def verdict(theirs: Algorithm, ours: Algorithm, exercise: Exercise, with_visits: bool) -> Verdict:
    """What comes of one exercise."""
    depth = FULL_DEPTH if exercise.depth is None else exercise.depth
    our_events, their_events = Listener(), Listener()
    expected = run(ours, exercise, Limits(depth), our_events)
    limits = Limits(depth, SECONDS, MORE_NODES + TIMES_NODES * expected.statistics.nodes)
    is_seen = not isinstance(theirs, OwnAlgorithm) or theirs.file.visits_nodes
    try:
        found = run(theirs, exercise, limits, their_events if is_seen else None)
    except GamesearchError as error:
        return Verdict(exercise, "error", expected, message=str(error))
    if found.stopped:
        return Verdict(exercise, "unfinished", expected, found)
    can_compare = with_visits and bool(their_events.events)
    difference = first_difference(our_events.events, their_events.events, can_compare) if is_seen else None
    kind = "agrees"
    if found.value is not None and expected.value is not None and not equal(found.value, expected.value):
        kind = "value"
    elif found.best is not None and not is_best(ours, exercise, expected, found.best):
        kind = "move"
    elif can_compare and visits(our_events.events) != visits(their_events.events):
        kind = "visits"
    return Verdict(exercise, kind, expected, found, difference=difference if kind != "agrees" else None)


def run(algorithm: Algorithm, exercise: Exercise, limits: Limits, observer: Observer | None) -> SearchResult:
    """The answer of an algorithm."""
    return search_with(exercise.game, exercise.state, algorithm, limits, speed="interpreted", observer=observer)


def equal(one: Value, other: Value) -> bool:
    """Whether two values are equal but for rounding."""
    return same(one, other, ROUNDING)


def is_best(ours: Algorithm, exercise: Exercise, expected: SearchResult, move: int) -> bool:
    """Whether a move is as good as the one that ours found."""
    if move == expected.best or expected.value is None:
        return True
    game, after = exercise.game, exercise.game.result(exercise.state, move)
    if game.terminal(after):
        return equal(float(game.utility(after)), expected.value)
    if exercise.depth == 1:
        return equal(float(game.evaluate(after)), expected.value)
    depth = FULL_DEPTH if exercise.depth is None else exercise.depth - 1
    value = run(ours, Exercise(exercise.group, game, after, depth), Limits(depth), None).value
    return value is not None and equal(value, expected.value)


def visits(events: Sequence[Event]) -> list[tuple[int, ...]]:
    """The nodes in the order in which they were visited."""
    return [event.path for event in events if not event.is_leaving]


# The first difference. ---------------------------------------------------------------------------
def first_difference(ours: Sequence[Event], theirs: Sequence[Event], in_order: bool) -> Difference | None:
    """The first event that differs; if the order of visits is not asked for, the first node with another value."""
    if not in_order:
        return first_value(ours, theirs)
    for number, (event, other) in enumerate(itertools.zip_longest(ours, theirs)):
        if event is None or other is None or not alike(event, other):
            return Difference(event, other, ours[:number])
    return None


def first_value(ours: Sequence[Event], theirs: Sequence[Event]) -> Difference | None:
    """The first node that both have left, with values that cannot both be right."""
    left = {event.path: number for number, event in enumerate(ours) if event.is_leaving}
    for other in theirs:
        number = left.get(other.path) if other.is_leaving else None
        if number is not None and is_inside(ours[number]) and is_inside(other):
            if not same_value(ours[number], other):
                return Difference(ours[number], other, ours[:number])
    return None


def alike(ours: Event, theirs: Event) -> bool:
    """Whether two events are of one node, in one window or with equal values as far as the window tells them."""
    if ours.path != theirs.path or ours.is_leaving != theirs.is_leaving:
        return False
    if ours.is_leaving:
        return same_value(ours, theirs)
    return fits_bound(ours.alpha, theirs.alpha) and fits_bound(ours.beta, theirs.beta)


def fits_bound(ours: float | None, theirs: float | None) -> bool:
    """Whether a bound is ours; None is not told, and in place of an infinite bound any other may stand.

    An algorithm may begin with bounds of its own, such as -1000 and 1000, that no payoff of its games reaches.
    """
    return ours is None or theirs is None or math.isinf(ours) or equal(ours, theirs)


def is_inside(event: Event) -> bool:
    """Whether a value lies inside the window, and so is no bound."""
    value = event.value
    if event.alpha is None or event.beta is None or isinstance(value, tuple) or value is None:
        return True
    return event.alpha < value < event.beta


def same_value(ours: Event, theirs: Event) -> bool:
    """Whether two values are equal, or on the same side of the window of ours."""
    one, other = ours.value, theirs.value
    if one is None or other is None or equal(one, other):
        return True
    if is_inside(ours) or isinstance(one, tuple) or isinstance(other, tuple):
        return False
    assert ours.alpha is not None
    assert ours.beta is not None
    return other <= ours.alpha + ROUNDING if one <= ours.alpha else other >= ours.beta - ROUNDING


def whose_turn(exercise: Exercise, path: Sequence[int]) -> str:
    """Whose turn it is at a node: Max, Min, chance, or `end`."""
    game, s = exercise.game, exercise.state
    for move in path:
        s = game.result(s, move)
    if game.terminal(s):
        return "end"
    return {MAX: "Max", MIN: "Min"}.get(game.player(s), "chance")
