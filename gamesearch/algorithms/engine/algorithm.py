"""The base classes of all algorithms: parameters, declared abilities, limits, results, and iterative deepening."""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms.engine.endgame import Endgame
from gamesearch.algorithms.engine.pace import Pace
from gamesearch.algorithms.engine.parameters import depth_checked, memory_checked, seconds_checked, threads_checked
from gamesearch.algorithms.engine.result import Limits, SearchResult, Value
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.ordering import KIND, ORDERS, parse_order, remember_previous
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.parameterized import parameters_of
from gamesearch.specification import format_specification
from gamesearch.toolkit.symmetric_games import folded, refuse_unequal_estimates

__all__ = [
    "Algorithm",
    "Deepening",
    "DeepeningSearch",
    "value_and_distance",
    "within_bounds",
    "without_distance_by_bounds",
]


class Algorithm:
    """A search algorithm with its parameters.

    A new algorithm is a class in a file of its own in `gamesearch.algorithms`, beside its kernel. The rest of the
    package uses nothing of it but what is declared here.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    source: ClassVar[str]
    example: ClassVar[str] = "connect4"
    """A game to try it on, as it is typed."""
    parameter_help: ClassVar[Mapping[str, str]] = {
        "depth": "how many plies to search, or full; by default what the game suggests, or no limit if nodes or time "
        "are limited",
        "time": "seconds after which to stop, 0 for no limit",
        "bounds": "whether to clip values into the bounds that the game knows of each position, to stop when these are "
        "enough, and to leave out moves that the game says are not needed",
    }
    """What each parameter decides, in words for the user."""
    choices: ClassVar[Mapping[str, Collection[str]]] = {}
    """The allowed values of each parameter that has a fixed set of them."""

    # What it can do. ------------------------------------------------------------------------------
    is_for_two: ClassVar[bool] = True
    """Whether it treats the game as Max against Min, and refuses games of more players."""
    handles_chance: ClassVar[bool] = False
    """Whether it searches chance nodes."""
    is_search: ClassVar[bool] = True
    """Whether it searches ahead, so that it can be measured."""
    can_deepen: ClassVar[bool] = False
    """Whether it has a parameter `deepen`, for iterative deepening."""
    values_moves: ClassVar[bool] = False
    """Whether every search values each move of its root, so that none has to be searched by itself."""
    has_beliefs: ClassVar[bool] = False
    """Whether it says of each move how probable each value is."""
    is_exact: bool = True
    """Whether the value it finds is minimax's (or expectiminimax's) for the same depth."""
    visits_everything: bool = False
    """Whether it visits every node, so that others can be compared with it."""
    narrows_windows: bool = False
    """Whether values found so far narrow the windows of later nodes."""
    expects_errors: bool = False
    """Whether its values are means of what an opponent who errs may do."""
    clips_values: bool = False
    """Whether a value outside a window is clipped to the window (fail-hard)."""

    depth: int | str = ""
    """How deep to search: plies, `full`, or empty for what the game suggests."""
    deepen: bool = False
    """Whether it deepens iteratively, so that there is an answer when the time is up."""
    bounds: bool = False
    """Whether it uses the game's own bounds."""
    time: float = 0.0
    """Seconds after which the search stops with the last finished depth; 0 for no limit."""

    @property
    def has_depth(self) -> bool:
        """Whether it searches to a depth, and so has a parameter for it."""
        return "depth" in parameters_of(type(self))

    @property
    def textbook(self) -> Callable[..., Any] | None:
        """The function for this algorithm in `gamesearch.textbook`, if there is one."""
        return None

    @property
    def woven_from(self) -> Callable[..., Any] | None:
        """The textbook function that its kernel is woven from; None if it has another kernel with these parameters."""
        return None

    @property
    def needs_seed(self) -> bool:
        """Whether chance decides what it finds, and its seed was left empty: in a match, each side has one of its own.

        Elsewhere an empty seed is 0.
        """
        return getattr(self, "seed", None) == ""

    def changed(self, **parameters: Any) -> "Algorithm":
        """The same algorithm with other values of some parameters."""
        given = {name: getattr(self, name) for name in parameters_of(type(self))}
        return type(self)(**{**given, **parameters})

    @functools.cached_property
    def specification(self) -> str:
        """The text that `load_algorithm` reads back, without parameters at their defaults."""
        given = {
            name: getattr(self, name)
            for name, parameter in parameters_of(type(self)).items()
            if getattr(self, name) != parameter.default
        }
        return format_specification(self.name, given)

    def is_exact_in(self, game: Game[Any]) -> bool:  # noqa: ARG002
        """Whether it finds minimax's value in a game; what makes a search inexact may have nothing to say there."""
        return self.is_exact

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError, in one sentence, where the algorithm does not fit the game."""
        if self.is_for_two and game.payoff_count > 1:
            raise GamesearchError(f"{self.name} is {game.zero_sum_words()}: use maxn")
        if game.chance and not self.handles_chance:
            raise GamesearchError(f"{self.name} knows no chance nodes and {game.name} has them: use expectiminimax")

    def takes(self, limits: Limits) -> None:
        """Raise GamesearchError, in one sentence, where a depth is asked of an algorithm that has none."""
        if limits.depth is not None and self.is_search and not self.has_depth:
            raise GamesearchError(f"{self.name} has no depth: limit it by time or nodes instead of plies")

    def as_searched(self, game: Game[Any], state: Any) -> Game[Any]:  # noqa: ARG002
        """The game that is searched from a state: for most algorithms, the game itself."""
        return game

    def limits(self, game: Game[Any], given: Limits) -> Limits:
        """The limits of a search: those given, else the algorithm's parameters, else what the game suggests."""
        depth = given.depth
        if depth is None and self.depth:
            depth = FULL_DEPTH if self.depth == "full" else int(self.depth)
        time = given.time if given.time is not None else self.time or None
        if depth is None and given.nodes is None and (time is None or not self.deepen):
            depth = game.suggested_depth
        is_full = depth is None or depth > MAX_PLY  # deeper than a search can go
        return Limits(FULL_DEPTH if is_full else depth, time, given.nodes, given.target, given.first)

    def runner(self, game: Game[Any], speed: str = "auto") -> Runner:
        """What searches of a game with this algorithm run with."""
        return Runner(game, speed)

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Search a state that is not terminal, within the runner's limits."""
        raise NotImplementedError

    def result(self, runner: Runner, state: Any, value: Value | None, variation: tuple[int, ...]) -> SearchResult:
        """The result of a search, with the distance read off a value that was adjusted for ply."""
        game, stopped = runner.game, runner.stopped
        distance = None
        bound = "exact"
        if isinstance(value, float):
            if stopped:
                bound = "lower" if game.player(state) == MAX else "upper"
                value = None if not variation else value
            value, distance = value_and_distance(game, value, runner.ply_cost)
            if value == {"lower": game.MINSCORE, "upper": game.MAXSCORE}.get(bound):
                distance = None  # a loss of the moves searched so far: another may be better
        elif stopped:
            bound = "lower"  # for the player to move
        return SearchResult(
            algorithm=self.specification,
            value=value,
            bound=bound,
            best=variation[0] if variation else None,
            line=variation,
            statistics=runner.statistics(),
            distance=distance,
            sees_the_end=runner.sees_the_end and game.is_determined(state),
            stopped=stopped,
            is_expected=game.chance or self.expects_errors,
        )


def value_and_distance(game: Game[Any], value: float | None, ply_cost: float) -> tuple[float | None, int | None]:
    """The payoff that a value adjusted for ply stands for, and the plies to it; None where these are not known.

    They are not known where the value is that of a win now: the game's own bounds proved it, which do not say how
    soon it comes.
    """
    if value is not None and ply_cost:
        if value > game.MAXSCORE - ply_cost * (MAX_PLY + 1):
            return float(game.MAXSCORE), round((game.MAXSCORE - value) / ply_cost) or None
        if value < game.MINSCORE + ply_cost * (MAX_PLY + 1):
            return float(game.MINSCORE), round((value - game.MINSCORE) / ply_cost) or None
    return value, None


def within_bounds(game: Game[Any], state: Any, found: SearchResult) -> SearchResult:
    """A result with its value clipped into the game's own bounds; how soon a clipped one comes is not known."""
    if not isinstance(found.value, float):
        return found
    least, greatest = game.bounds(state)
    value = max(float(least), min(float(greatest), found.value))
    return found if value == found.value else replace(found, value=value, distance=None)


def proven(game: Game[Any], found: SearchResult) -> SearchResult:
    """A result that says so if its value is a win or a loss, which no estimate can be."""
    is_decided = game.win_or_loss and found.bound == "exact" and found.value in (game.MINSCORE, game.MAXSCORE)
    return replace(found, is_decided=True) if is_decided else found


def without_distance_by_bounds(game: Game[Any], found: SearchResult) -> SearchResult:
    """A result of a search by the game's own bounds, which prove wins and losses but not how soon they come."""
    return found if type(game).bounds is Game.bounds else replace(found, distance=None)


class Deepening(Algorithm):
    """An algorithm with iterative deepening: if it is stopped, it returns the answer of the last completed depth."""

    can_deepen = True
    parameter_help: ClassVar[Mapping[str, str]] = {
        **Algorithm.parameter_help,
        "time": "seconds after which to stop with the last completed depth, or with a better move found since; 0 for "
        "no limit; it turns deepen on",
        "deepen": "whether to search to depth 1, 2, 3, ... up to the limits",
    }

    endgame: bool = False
    """Whether deepening tries a search to the end of the game as soon as it can be afforded."""
    keeps_best_of_root: bool = True
    """Whether a stopped run leaves the best of the root moves it searched, the first among them."""

    def depths(self, game: Game[Any], state: Any, limit: int) -> Sequence[int]:  # noqa: ARG002
        """The depths to search in turn: all up to the limit, or the limit alone."""
        return range(1, min(limit, MAX_PLY) + 1) if self.deepen else (limit,)

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[Any, tuple[int, ...]]:
        """The value of the root to a depth, and its principal variation."""
        raise NotImplementedError

    def finish(self, runner: Runner, state: Any, depth: int, found: SearchResult) -> SearchResult:  # noqa: ARG002
        """The result to report for a finished depth. Deepening goes on from `found` whatever this returns."""
        return found

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """The result of the last depth that `iterations` finishes."""
        last: SearchResult | None = None
        for last in self.iterations(runner, state):
            if runner.monitor is not None and not last.stopped:
                runner.monitor.finished(last)
        assert last is not None
        if runner.stopped and not last.stopped:
            distance_nodes = last.statistics.distance_nodes
            last = replace(
                last, statistics=replace(runner.statistics(), distance_nodes=distance_nodes), stopped=runner.stopped
            )
        return proven(runner.game, last)

    def iterations(self, runner: Runner, state: Any) -> Iterator[SearchResult]:
        """Yield the result of each finished depth; of an unfinished one where it is the first, or has a better move."""
        deepest = runner.limits.depth
        assert deepest is not None
        remember_previous(runner.ordering, ())
        every = self.depths(runner.game, state, deepest)
        first = runner.limits.first or 1
        depths = [depth for depth in every if depth >= first] or every[-1:]
        endgame = Endgame(runner, state) if self.endgame and self.deepen and deepest >= FULL_DEPTH else None
        found: SearchResult | None = None
        runner.helpers.is_deepening = len(depths) > 1
        pace = Pace(runner.limits.target)
        for depth in depths:
            value, variation = self.one_depth(runner, state, depth)
            if found is not None and runner.stopped and not self.is_better(runner, variation, found):
                break
            found = self.found(runner, state, depth, value, variation)
            yield self.finish(runner, state, depth, found)
            if runner.stopped or self.is_decided(runner, found) or pace.is_enough(found.best, runner.seconds):
                break
            remember_previous(runner.ordering, variation)
            last = self.to_the_end(runner, state, endgame) if endgame is not None and endgame.is_due() else None
            if last is not None:
                yield self.finish(runner, state, FULL_DEPTH, last)
                break

    def to_the_end(self, runner: Runner, state: Any, endgame: Endgame) -> SearchResult | None:
        """The result of a search to the end of the game; None if it took more than it was allowed."""
        with endgame.attempt():
            value, variation = self.one_depth(runner, state, FULL_DEPTH)
            return None if runner.stopped else self.found(runner, state, FULL_DEPTH, value, variation)

    def found(self, runner: Runner, state: Any, depth: int, value: Any, variation: tuple[int, ...]) -> SearchResult:
        """The result of a depth."""
        runner.execution.depth = depth if depth < FULL_DEPTH else 0
        return self.result(runner, state, value, runner.extended_variation(state, variation, value, depth))

    def is_decided(self, runner: Runner, found: SearchResult) -> bool:
        """Whether no greater depth can find anything else."""
        is_won = runner.ply_cost > 0 and found.value in (runner.game.MINSCORE, runner.game.MAXSCORE)
        return found.sees_the_end or is_won

    def is_better(self, runner: Runner, variation: tuple[int, ...], found: SearchResult) -> bool:
        """Whether an unfinished depth has found a better move than the depth before.

        Its best move so far is as good as the first that it searched, so it is better than the move found before if
        that came first, as the table's move does.
        """
        is_another = bool(variation) and variation[0] != found.best
        return is_another and self.keeps_best_of_root and runner.first_root_move == found.best


class DeepeningSearch(Deepening):
    """An algorithm with a transposition table, move ordering, and iterative deepening."""

    choices: ClassVar[Mapping[str, Collection[str]]] = {"order": ORDERS}
    parameter_help: ClassVar[Mapping[str, str]] = {
        **Deepening.parameter_help,
        "table": "whether to remember positions in a transposition table",
        "memory": "how many megabytes the table may take, rounded down to a power of two",
        "order": "which moves to search first; several are joined by +",
        "symmetries": "whether the table treats positions as equal if one is the other turned or mirrored",
        "threads": "how many threads search one tree and share the table, which they need; with more than one, a "
        "search does not repeat itself node for node; an interpreted search uses only one",
    }

    kind: ClassVar[type[Runner]] = Runner
    """Of what runs its searches."""

    def set_parameters(
        self,
        depth: int | str,
        time: float,
        deepen: bool,
        table: bool,
        memory: int,
        order: str,
        threads: int = 1,
        database: str = "",
        symmetries: bool = False,
    ) -> None:
        """Check and keep the parameters."""
        self.threads = threads_checked(threads)
        if threads > 1 and not table:
            raise GamesearchError("threads help each other only through the table, and need table=true")
        if symmetries and not table:
            raise GamesearchError("symmetries are used only by the table, and need table=true")
        self.database, self.symmetries = str(database), symmetries
        self.depth, self.time, self.deepen = depth_checked(depth), seconds_checked(time), deepen or time > 0
        self.table, self.memory, self.order, self.orders = table, memory_checked(memory), order, parse_order(order)

    def fits(self, game: Game[Any]) -> None:
        """Refuse symmetries and orders that do not suit the game, too."""
        super().fits(game)
        if self.symmetries:
            refuse_unequal_estimates(folded(game))
        if self.orders & KIND and not game.tells_kinds:
            raise GamesearchError(f"{game.name} does not define kinds of moves, which order=kind needs")

    def runner(self, game: Game[Any], speed: str = "auto") -> Runner:
        """The runner for searches of a game, which has the table and the move ordering."""
        memory, database = self.memory if self.table else 0, Database(self.database, game) if self.database else None
        # If no order has an effect in this game, the kernels are compiled without ordering.
        orders = self.orders if game.has_order else self.orders & ~ORDERS["game"]
        by_keys = folded(game) if self.symmetries else game
        return self.kind(by_keys, speed, memory=memory, orders=orders, threads=self.threads, database=database)

    def further(self, runner: Runner, depth: int) -> int:
        """How many plies beyond a depth the helper threads may search."""
        deepest = runner.limits.depth
        return min(deepest - depth, MAX_PLY) if self.deepen and deepest is not None and depth < FULL_DEPTH else 0
