"""Check an algorithm: compare it with a built-in algorithm on small positions, and find the first difference.

The comparison uses the events of both searches: a node is entered with a window, and left with a value. Values outside
of the window need not be equal, but must be on the same side of the window (Knuth and Moore 1975). So fail-soft and
fail-hard alpha-beta agree.
"""

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult, Value, as_value
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.own.algorithm import OwnAlgorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.specification import parse_specification
from gamesearch.study.bench import same
from gamesearch.study.exercises import TREES, Exercise, exercises, exercises_for_many, exercises_of, tree_exercises

__all__ = [
    "KINDS",
    "SECONDS",
    "Difference",
    "Event",
    "Marking",
    "Verdict",
    "first_difference",
    "mark",
    "task_for",
    "whose_turn",
]

ALPHABETA, EXPECTIMINIMAX, MAXN = "alphabeta", "expectiminimax(pruning=none, order=generated)", "maxn"
ROUNDING = 1e-6
"""The greatest difference between values that count as equal. Means are rounded, and the values of wins include the
distance."""
MORE_NODES, TIMES_NODES = 2_000, 50
"""An algorithm may visit MORE_NODES nodes plus TIMES_NODES times the number of nodes of the built-in algorithm."""
DEPTHS = (1, 2, 3)
"""The depths to which positions are searched if the user names a game."""
SECONDS = 5.0
"""The processor time, in seconds, after which an algorithm counts as unfinished."""
LONGEST = 60.0
"""The greatest time limit in seconds. Time limits are raised if other programs use the processor."""
MOST_UNFINISHED = 3
"""The number of unfinished positions after which the remaining positions are skipped."""


@dataclass(frozen=True)
class Event:
    """An event of a search, in which a node is entered or left."""

    path: tuple[int, ...]
    """The moves from the root."""
    is_leaving: bool
    alpha: float | None
    beta: float | None
    value: Value | None = None
    """The value that the node returns when the search leaves it; None when the search enters the node."""


class Listener(Observer):
    """An observer that collects the events of the last search from the root: a node is entered or left."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.path: list[int] = []
        self.windows: list[tuple[float | None, float | None]] = []

    def iteration(self, depth: int, purpose: str) -> None:  # noqa: ARG002
        """Forget the events of the previous search."""
        self.events.clear()
        self.path.clear()
        self.windows.clear()

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:  # noqa: ARG002
        """Note a node."""
        del self.path[ply:]
        self.windows.append((alpha, beta))
        self.events.append(Event(tuple(self.path), False, alpha, beta))

    def move(self, ply: int, move: int) -> None:
        """Note the move to the next node."""
        self.path[ply:] = [move]

    def leave(self, ply: int, value: Any) -> None:
        """Note the value that a node returned."""
        del self.path[ply:]
        self.events.append(Event(tuple(self.path), True, *self.windows.pop(), as_value(value)))


@dataclass(frozen=True)
class Difference:
    """The first difference of two searches: the event of each search, or None for a search that has already ended."""

    ours: Event | None
    theirs: Event | None
    before: Sequence[Event] = field(default=(), repr=False)
    """The earlier events of the built-in algorithm."""


KINDS = {
    "error": "fails",
    "value": "other value",
    "unfinished": "too long",
    "move": "worse move",
    "visits": "other order",
}
"""The kinds of differences, beginning with the worst, and the headings of their columns."""


@dataclass(frozen=True)
class Verdict:
    """The result of one exercise."""

    exercise: Exercise
    kind: str
    """Either `agrees` or a key of KINDS."""
    ours: SearchResult
    theirs: SearchResult | None = None
    message: str = ""
    """The message of the error that the algorithm raised."""
    difference: Difference | None = None


@dataclass(frozen=True)
class Marking:
    """The results of all exercises."""

    algorithm: str
    against: str
    with_visits: bool
    """Whether the order of visited nodes was compared, in addition to values."""
    verdicts: Sequence[Verdict]
    remembers: bool = False
    """Whether data that earlier searches left, for example in a global variable, caused the worst verdict."""

    @property
    def agreeing(self) -> int:
        """The number of positions on which both algorithms agree."""
        return sum(each.kind == "agrees" for each in self.verdicts)

    @property
    def worst(self) -> Verdict | None:
        """The verdict with the worst difference; None if all positions agree. Equally bad verdicts are compared by
        their group and by the size of the search, smallest first."""
        kinds, groups = list(KINDS), list(dict.fromkeys(each.exercise.group for each in self.verdicts))

        def rank(each: Verdict) -> tuple[int, int, int]:
            return kinds.index(each.kind), groups.index(each.exercise.group), each.ours.statistics.nodes

        return min((each for each in self.verdicts if each.kind != "agrees"), key=rank, default=None)


def default_opponent(algorithm: Algorithm) -> str:
    """The built-in algorithm that should find the same values as an algorithm and, if possible, visit the same
    nodes."""
    if is_for_many(algorithm):
        return MAXN
    if algorithm.handles_chance:
        return EXPECTIMINIMAX
    return ALPHABETA if algorithm.narrows_windows else "minimax"


def is_for_many(algorithm: Algorithm) -> bool:
    """Whether an algorithm, like max^n, needs a payoff for each player, so that it fails on a tree with one payoff."""
    exercise = next(tree_exercises("trees", TREES[0], with_depths=False))
    try:
        algorithm.fits(exercise.game)
        if isinstance(algorithm, OwnAlgorithm) and algorithm.file.knows_players:
            run(algorithm, exercise, Limits(FULL_DEPTH, SECONDS, MORE_NODES), None)
    except GamesearchError:
        return True
    return False


@dataclass(frozen=True)
class Task:
    """The two algorithms to compare, and the positions."""

    text: str
    """The specification of the algorithm that is checked."""
    algorithm: Algorithm
    against: str
    with_visits: bool
    exercises: Sequence[Exercise]

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the result of each exercise."""
        unfinished = 0
        for exercise in self.exercises:
            # Loaded for each exercise, so that an algorithm that remembers positions begins with an empty memory.
            theirs = load_algorithm(self.text, {"depth": exercise.depth or "full"})
            found = verdict(theirs, self.opponent(exercise), exercise, self.compares_visits(exercise))
            yield found
            unfinished += found.kind == "unfinished"
            if unfinished == MOST_UNFINISHED:
                return

    def opponent(self, exercise: Exercise) -> Algorithm:
        """The built-in algorithm for an exercise. In games without chance, algorithms that narrow windows are compared
        with alpha-beta."""
        is_usual = self.against == EXPECTIMINIMAX and self.algorithm.narrows_windows and not exercise.game.chance
        return load_algorithm(ALPHABETA if is_usual else self.against, {"distance": False})

    def compares_visits(self, exercise: Exercise) -> bool:
        """Whether both algorithms must visit the same nodes. If chance nodes are pruned, the nodes may differ, because
        there are several methods of pruning."""
        return self.with_visits and not (exercise.game.chance and self.algorithm.narrows_windows)


def task_for(
    text: str, against: str = "", games: Sequence[str] = (), *, only_values: bool = False, seed: int = 1
) -> Task:
    """Prepare the comparison of two algorithms on positions of the given games, or by default on all exercises.

    If `against` or `text` has a depth, such as minimax(depth=4), all positions are searched to this depth.
    """
    theirs = load_algorithm(text)
    usual = default_opponent(theirs)
    against = against or usual
    ours = load_algorithm(against)
    has_depths = theirs.has_depth
    depth = depth_in(text) or depth_in(against)
    if games:
        depths = DEPTHS if has_depths else (0,)
        chosen = [each for name in games for each in exercises_of(name, depths, seed)]
    elif against.partition("(")[0] == MAXN:
        chosen = list(exercises_for_many(has_depths, seed, theirs.handles_chance))
    else:
        with_chance = theirs.handles_chance and ours.handles_chance
        follows_turns = isinstance(theirs, OwnAlgorithm) and theirs.file.follows_turns
        chosen = list(exercises(seed, has_depths, with_chance, follows_turns))
    if depth is not None:
        chosen = list(dict.fromkeys(replace(each, depth=depth or None) for each in chosen))
    for each in chosen:
        theirs.fits(each.game)
        ours.fits(each.game)
    with_visits = not only_values and against.partition("(")[0] == usual.partition("(")[0]
    return Task(text, theirs, against, with_visits, chosen)


def depth_in(text: str) -> int | None:
    """The depth in an algorithm's specification (0 for a search to the end); None if the specification has no depth."""
    given = parse_specification(text).parameters.get("depth", "")
    return None if given == "" else 0 if given == "full" else int(given)


def mark(
    text: str,
    against: str = "",
    games: Sequence[str] = (),
    *,
    only_values: bool = False,
    seed: int = 1,
    monitor: Monitor | None = None,
) -> Marking:
    """Check an algorithm on all exercises, or on positions of the given games.

    The order of visits is also compared if the built-in algorithm should visit the same nodes, unless `only_values`.
    """
    task = task_for(text, against, games, only_values=only_values, seed=seed)
    verdicts: list[Verdict] = []
    for each in task.verdicts():
        verdicts.append(each)
        if monitor is not None and monitor.interrupted:
            break
    marking = Marking(task.algorithm.specification, task.against, task.with_visits, verdicts)
    return replace(marking, remembers=remembers(task, marking.worst))


def remembers(task: Task, worst: Verdict | None) -> bool:
    """Whether the algorithms agree on the worst exercise when it is the first exercise. If the algorithms then agree,
    data of earlier searches caused the difference."""
    if worst is None or not isinstance(task.algorithm, OwnAlgorithm):
        return False
    exercise = worst.exercise
    ours, with_visits = task.opponent(exercise), task.compares_visits(exercise)
    return verdict(task.algorithm.reload(), ours, exercise, with_visits).kind == "agrees"


def verdict(theirs: Algorithm, ours: Algorithm, exercise: Exercise, with_visits: bool) -> Verdict:
    """The result of one exercise."""
    depth = FULL_DEPTH if exercise.depth is None else exercise.depth
    our_events, their_events = Listener(), Listener()
    expected = run(ours, exercise, Limits(depth), our_events)
    nodes = MORE_NODES + TIMES_NODES * expected.statistics.nodes
    is_seen = not isinstance(theirs, OwnAlgorithm) or theirs.file.visits_nodes
    try:
        found = run_patiently(theirs, exercise, depth, nodes, their_events if is_seen else None)
    except GamesearchError as error:
        return Verdict(exercise, "error", expected, message=str(error))
    if found.stopped:
        return Verdict(exercise, "unfinished", expected, found)
    can_compare = with_visits and bool(their_events.events)
    kind = "agrees"
    if found.value is not None and expected.value is not None and not equal(found.value, expected.value):
        kind = "value"
    elif found.best is not None and not is_best(ours, exercise, expected, found.best):
        kind = "move"
    elif can_compare and visits(our_events.events) != visits(their_events.events):
        kind = "visits"
    is_told = kind != "agrees" and is_seen
    difference = first_difference(our_events.events, their_events.events, can_compare) if is_told else None
    return Verdict(exercise, kind, expected, found, difference=difference)


def run_patiently(
    algorithm: Algorithm, exercise: Exercise, depth: int, nodes: int, observer: Observer | None
) -> SearchResult:
    """Run an algorithm on an exercise, with more time if other programs used the processor."""
    seconds = SECONDS
    while True:
        begun = time.process_time()
        found = run(algorithm, exercise, Limits(depth, seconds, nodes), observer)
        is_slowed = found.stopped == "time" and time.process_time() - begun < SECONDS / 2
        if not is_slowed or seconds >= LONGEST:
            return found
        seconds *= 4


def run(algorithm: Algorithm, exercise: Exercise, limits: Limits, observer: Observer | None) -> SearchResult:
    """Run an algorithm on an exercise within limits."""
    return search_with(exercise.game, exercise.state, algorithm, limits, speed="interpreted", observer=observer)


def equal(one: Value, other: Value) -> bool:
    """Whether two values are equal except for rounding errors."""
    return same(one, other, ROUNDING)


def is_best(ours: Algorithm, exercise: Exercise, expected: SearchResult, move: int) -> bool:
    """Whether a move is as good as the move that the built-in algorithm found."""
    if move == expected.best or expected.value is None:
        return True
    game, after = exercise.game, exercise.game.result(exercise.state, move)
    if game.terminal(after):
        return equal(as_value(game.utility(after)), expected.value)
    if exercise.depth == 1:
        return equal(as_value(game.evaluate(after)), expected.value)
    depth = FULL_DEPTH if exercise.depth is None else exercise.depth - 1
    value = run(ours, Exercise(exercise.group, game, after, depth), Limits(depth), None).value
    return value is not None and equal(value, expected.value)


def visits(events: Sequence[Event]) -> list[tuple[int, ...]]:
    """The nodes in the order in which they were visited."""
    return [event.path for event in events if not event.is_leaving]


# The first difference. ---------------------------------------------------------------------------
def first_difference(ours: Sequence[Event], theirs: Sequence[Event], in_order: bool) -> Difference | None:
    """The first difference: of all events if `in_order`, otherwise of the values that nodes returned."""
    if not in_order:
        return first_value(ours, theirs)
    for number, (event, other) in enumerate(itertools.zip_longest(ours, theirs)):
        if event is None or other is None or not alike(event, other):
            return Difference(event, other, ours[:number])
    return None


def first_value(ours: Sequence[Event], theirs: Sequence[Event]) -> Difference | None:
    """The first node for which the two searches returned values that cannot both be right."""
    left = {event.path: number for number, event in enumerate(ours) if event.is_leaving}
    for other in theirs:
        number = left.get(other.path) if other.is_leaving else None
        if number is not None and is_inside(ours[number]) and is_inside(other):
            if not same_value(ours[number], other):
                return Difference(ours[number], other, ours[:number])
    return None


def alike(ours: Event, theirs: Event) -> bool:
    """Whether two events agree: they have the same node, the same window, and values that are equal or on the same side
    of the window."""
    if ours.path != theirs.path or ours.is_leaving != theirs.is_leaving:
        return False
    if ours.is_leaving:
        return same_value(ours, theirs)
    return fits_bound(ours.alpha, theirs.alpha) and fits_bound(ours.beta, theirs.beta)


def fits_bound(ours: float | None, theirs: float | None) -> bool:
    """Whether a bound of the checked algorithm agrees with the bound `ours` of the built-in algorithm. An unknown bound
    (None) always agrees, and any bound agrees with an infinite bound.

    So an algorithm may begin with bounds such as -1000 and 1000 instead of minus and plus infinity.
    """
    return ours is None or theirs is None or math.isinf(ours) or equal(ours, theirs)


def is_inside(event: Event) -> bool:
    """Whether the value of an event lies inside the window, so that the value is exact and not only a bound."""
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


def whose_turn(exercise: Exercise, path: Sequence[int]) -> str:
    """The side to move at the end of a path, as Max, Min, chance, or `end` if the game is over."""
    game, s = exercise.game, exercise.state
    for move in path:
        s = game.result(s, move)
    if game.terminal(s):
        return "end"
    return {MAX: "Max", MIN: "Min"}.get(game.player(s), "chance")
