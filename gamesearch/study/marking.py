"""Check an algorithm: compare it with a built-in algorithm on small positions, and find the first difference."""

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult, as_value
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.own.algorithm import OwnAlgorithm, depth_of_tree
from gamesearch.algorithms.selective.parts import PARTS
from gamesearch.algorithms.tree_search.sampling import SamplingAlgorithm
from gamesearch.algorithms.weaving.roles import is_maxn
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.specification import parse_specification
from gamesearch.study.differences import Difference, Listener, equal, first_difference, visits
from gamesearch.study.exercises import (
    EXTRA_TURNS,
    TREES,
    Exercise,
    clear_exercises,
    exercises,
    exercises_for_many,
    exercises_of,
    tree_exercises,
)

__all__ = ["FACETS", "KINDS", "MORE_NODES", "MOST_UNFINISHED", "SECONDS", "TIMES_NODES", "Marking", "Verdict", "mark"]

MINIMAX, ALPHABETA, MAXN, PARANOID = "minimax", "alphabeta", "maxn", "paranoid"
EXPECTIMINIMAX = "expectiminimax(pruning=none, order=generated)"
WITHOUT = [each for each in (*PARTS, "deepen", "table", "bounds") if each != "quiescence"]
QUIESCENCE = f"pvs(quiescence=true, {', '.join(f'{each}=false' for each in WITHOUT)})"
"""The specification of `pvs` without any option except quiescence search. This is alpha-beta with quiescence search."""
FACETS = {"value": "value", "move": "best move", "visits": "order of visits"}
"""The properties by which two searches can be compared. The values are the names that users see."""
MORE_NODES, TIMES_NODES = 2_000, 50
"""If the built-in algorithm visits n nodes, an algorithm may visit MORE_NODES + TIMES_NODES * n nodes."""
CAPTURING = "kalah(pits=2, seeds=3)"
"""A small game for tests of quiescence search. Some captures in this game are bad moves."""
DEPTHS = (1, 2, 3)  # the depths to which positions are searched if the user names a game
SECONDS = 5.0  # the processor time, in seconds, after which an algorithm counts as unfinished
LONGEST = 60.0
"""The greatest time limit in seconds. The time limit of an exercise is raised if other programs use the processor."""
MOST_UNFINISHED = 3  # the number of unfinished positions after which the remaining positions are skipped


KINDS = {
    "error": "fails",
    "value": "other value",
    "unfinished": "too long",
    "move": "worse move",
    "visits": "other order",
}
"""Maps each kind of difference to the heading of its column in the output. The worst kind comes first."""


@dataclass(frozen=True)
class Verdict:
    """The result of one exercise."""

    exercise: Exercise
    kind: str
    """`agrees` if both algorithms agree, otherwise the kind of the difference (a key of KINDS)."""
    ours: SearchResult
    theirs: SearchResult | None = None
    message: str = ""  # the message of the error that the algorithm raised
    difference: Difference | None = None


@dataclass(frozen=True)
class Marking:
    """The results of all exercises."""

    algorithm: str
    against: str
    compared: Collection[str]
    verdicts: Sequence[Verdict]
    omitted: Sequence[str] = ()
    """The games that were left out because a player can have extra turns. The algorithm assumes that the players
    alternate."""
    remembers: bool = False
    """Whether the algorithm got its worst verdict because it kept data from earlier searches, such as a global
    variable."""

    @property
    def agreeing(self) -> int:
        """The number of positions on which both algorithms agree."""
        return sum(each.kind == "agrees" for each in self.verdicts)

    @property
    def worst(self) -> Verdict | None:
        """The verdict with the worst kind of difference; None if no verdict has a difference. If several verdicts have
        the worst kind, the first group of exercises with such a verdict counts. If this group has several such
        verdicts, the verdict of the smallest search counts."""
        kinds, groups = list(KINDS), list(dict.fromkeys(each.exercise.group for each in self.verdicts))

        def rank(each: Verdict) -> tuple[int, int, int]:
            return kinds.index(each.kind), groups.index(each.exercise.group), each.ours.statistics.nodes

        return min((each for each in self.verdicts if each.kind != "agrees"), key=rank, default=None)


def default_opponent(algorithm: Algorithm) -> str:
    """The built-in algorithm with which an algorithm is compared by default. Both algorithms should find the same
    values and, if possible, visit the same nodes."""
    file = algorithm.file if isinstance(algorithm, OwnAlgorithm) else None
    if file is not None and file.is_for_one:
        return PARANOID
    if averages_random_games(algorithm):
        return MINIMAX
    if is_for_many(algorithm):
        return MAXN
    if algorithm.handles_chance:
        return EXPECTIMINIMAX
    if file is not None and file.knows_kinds:
        return QUIESCENCE
    return ALPHABETA if algorithm.narrows_windows else MINIMAX


def averages_random_games(algorithm: Algorithm) -> bool:
    """Whether an algorithm's values are averages of random games. Such values cannot be compared with minimax
    values."""
    is_own = isinstance(algorithm, OwnAlgorithm)
    return algorithm.file.samples if is_own else isinstance(algorithm, SamplingAlgorithm)  # type: ignore[attr-defined]


def is_for_many(algorithm: Algorithm) -> bool:
    """Whether an algorithm needs a payoff for each player, as max^n does. Such an algorithm does not fit a tree whose
    leaves have a single payoff. If an algorithm fails with the same error for two and for three players, the number of
    players is not the reason."""
    for_two = next(tree_exercises("trees", TREES[0], with_depths=False))
    try:
        algorithm.fits(for_two.game)
    except GamesearchError:
        return True
    if not isinstance(algorithm, OwnAlgorithm) or not algorithm.file.knows_players:
        return False
    fault, for_three = fault_in(algorithm, for_two), next(exercises_for_many(with_depths=False, seed=0))
    return fault != "" and (is_maxn(algorithm.file.function.__name__) or fault != fault_in(algorithm, for_three))


def fault_in(algorithm: Algorithm, exercise: Exercise) -> str:
    """The error of an algorithm on an exercise; empty if there is none."""
    try:
        run(algorithm, exercise, Limits(FULL_DEPTH, SECONDS, MORE_NODES), None)
    except GamesearchError as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class Task:
    """The two algorithms to compare, and the exercises."""

    text: str  # the specification of the algorithm that is checked
    algorithm: Algorithm
    against: str
    facets: Collection[str]  # the facets to compare: keys of FACETS
    exercises: Sequence[Exercise]
    omitted: Sequence[str] = ()

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the result of each exercise."""
        unfinished = 0
        for exercise in self.exercises:
            # Load the algorithm again for each exercise, so that it does not remember positions of earlier exercises.
            depth = exercise.depth or depth_of_tree(exercise.game, exercise.state)
            theirs = load_algorithm(self.text, {"depth": depth})
            found = verdict(theirs, self.opponent(exercise), exercise, self.facets_of(exercise))
            yield found
            unfinished += found.kind == "unfinished"
            if unfinished == MOST_UNFINISHED:
                return

    def opponent(self, exercise: Exercise) -> Algorithm:
        """The built-in algorithm with which an exercise is compared. It is `against`, except in one case: if the game
        has no chance nodes and the checked algorithm narrows windows, alpha-beta replaces expectiminimax."""
        is_usual = self.against == EXPECTIMINIMAX and self.algorithm.narrows_windows and not exercise.game.chance
        return load_algorithm(ALPHABETA if is_usual else self.against, {"distance": False})

    def facets_of(self, exercise: Exercise) -> Collection[str]:
        """The keys of FACETS that are compared in an exercise. The order of visits is not compared if the algorithm can
        prune at chance nodes, because several ways of pruning are correct there."""
        prunes_chance = exercise.game.chance and self.algorithm.narrows_windows
        return [each for each in self.facets if not (each == "visits" and prunes_chance)]


def task_for(
    text: str, against: str = "", games: Sequence[str] = (), *, only_values: bool = False, seed: int = 1
) -> Task:
    """Prepare the comparison of two algorithms. They are compared on positions of the given games. If no game is given,
    they are compared on the exercises that fit them.

    If `against` or `text` has a depth, such as minimax(depth=4), all positions are searched to this depth.
    """
    theirs = load_algorithm(text)
    usual = default_opponent(theirs)
    against = against or usual
    ours = load_algorithm(against)
    has_depths = theirs.has_depth
    depth = depth_in(text) or depth_in(against)
    omitted: Sequence[str] = ()
    is_average, name = averages_random_games(theirs), against.partition("(")[0]
    if games:
        depths = DEPTHS if has_depths else (0,)
        chosen = [each for game in games for each in exercises_of(game, depths, seed)]
    elif is_average:
        chosen = list(clear_exercises())
    elif name in (MAXN, PARANOID):
        chosen = list(exercises_for_many(has_depths, seed, theirs.handles_chance))
    else:
        with_chance = theirs.handles_chance and ours.handles_chance
        file = theirs.file if isinstance(theirs, OwnAlgorithm) else None
        follows_turns = file is not None and file.follows_turns
        chosen = list(exercises(seed, has_depths, with_chance, follows_turns))
        omitted = (
            [each for each in EXTRA_TURNS if load(each).chance <= (with_chance and has_depths)] if follows_turns else []
        )
        if against == QUIESCENCE and not follows_turns:
            chosen += exercises_of(CAPTURING, DEPTHS, seed)
    if depth is not None:
        chosen = list(dict.fromkeys(replace(each, depth=depth or None) for each in chosen))
    for each in chosen:
        theirs.fits(each.game)
        ours.fits(each.game)
    with_visits = not only_values and name == usual.partition("(")[0] and against != QUIESCENCE
    facets = ["move"] if is_average else [each for each in FACETS if each != "visits" or with_visits]
    return Task(text, theirs, against, facets, chosen, omitted)


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
    """Check an algorithm on positions of the given games. If no game is given, check the algorithm on all exercises
    that it can search. The order of visits is also compared, unless `only_values` is true or the built-in algorithm may
    visit different nodes."""
    task = task_for(text, against, games, only_values=only_values, seed=seed)
    verdicts: list[Verdict] = []
    for each in task.verdicts():
        verdicts.append(each)
        if monitor is not None and monitor.interrupted:
            break
    facets = compared_facets(task, verdicts)
    marking = Marking(task.algorithm.specification, task.against, facets, verdicts, task.omitted)
    return replace(marking, remembers=remembers(task, marking.worst))


def compared_facets(task: Task, verdicts: Sequence[Verdict]) -> list[str]:
    """The keys of FACETS that could be compared in a task. Some algorithms return no value or move, or visit no
    nodes."""
    found = [each.theirs for each in verdicts if each.theirs is not None]
    has = {
        "value": any(each.value is not None for each in found),
        "move": any(each.best is not None for each in found),
        "visits": not isinstance(task.algorithm, OwnAlgorithm) or task.algorithm.file.visits_nodes,
    }
    return [each for each in task.facets if has[each] or not found]


def remembers(task: Task, worst: Verdict | None) -> bool:
    """Whether data of earlier searches caused the worst difference. To find out, load the checked algorithm again, and
    compare the algorithms on the same exercise."""
    if worst is None or not isinstance(task.algorithm, OwnAlgorithm):
        return False
    exercise = worst.exercise
    ours, facets = task.opponent(exercise), task.facets_of(exercise)
    return verdict(task.algorithm.fresh_copy(), ours, exercise, facets).kind == "agrees"


def verdict(theirs: Algorithm, ours: Algorithm, exercise: Exercise, facets: Collection[str]) -> Verdict:
    """Compare both algorithms on an exercise; returns the result."""
    depth = FULL_DEPTH if exercise.depth is None else exercise.depth
    our_events, their_events = Listener(), Listener()
    expected = run(ours, exercise, Limits(depth), our_events)
    most = None if averages_random_games(theirs) else MORE_NODES + TIMES_NODES * expected.statistics.nodes
    is_seen = not isinstance(theirs, OwnAlgorithm) or theirs.file.visits_nodes
    try:
        found = run_patiently(theirs, exercise, depth, most, their_events if is_seen else None)
    except GamesearchError as error:
        return Verdict(exercise, "error", expected, message=str(error))
    if found.stopped:
        return Verdict(exercise, "unfinished", expected, found)
    can_compare = "visits" in facets and bool(their_events.events)
    kind, has_values = "agrees", found.value is not None and expected.value is not None
    if "value" in facets and has_values and not equal(found.value, expected.value):  # type: ignore[arg-type]
        kind = "value"
    elif found.best is not None and not is_best(ours, exercise, expected, found.best):
        kind = "move"
    elif can_compare and visits(our_events.events) != visits(their_events.events):
        kind = "visits"
    is_compared = kind != "agrees" and is_seen
    difference = first_difference(our_events.events, their_events.events, can_compare) if is_compared else None
    return Verdict(exercise, kind, expected, found, difference=difference)


def run_patiently(
    algorithm: Algorithm, exercise: Exercise, depth: int, nodes: int | None, observer: Observer | None
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


def is_best(ours: Algorithm, exercise: Exercise, expected: SearchResult, move: int) -> bool:
    """Whether a move is as good as the move that the built-in algorithm found."""
    if move == expected.best or expected.value is None:
        return True
    game = ours.game_to_search(exercise.game, exercise.state)
    after = game.result(exercise.state, move)
    if game.terminal(after):
        return equal(as_value(game.utility(after)), expected.value)
    if exercise.depth == 1:
        return equal(as_value(game.evaluate(after)), expected.value)
    depth = FULL_DEPTH if exercise.depth is None else exercise.depth - 1
    value = run(ours, Exercise(exercise.group, game, after, depth), Limits(depth), None).value
    return value is not None and equal(value, expected.value)
