"""Iterative deepening: search to depth 1, 2, 3 and so on, until a limit is reached or the value is decided.

Near the end of a game, one search to the end takes fewer nodes than all searches to smaller depths together. The reason
is that payoffs have fewer different values than estimates, so more moves are cut off. Random games show how many nodes
a search to the end may take. If a tree has b1 moves at its first ply, b2 moves at its second ply, and so on, alpha-beta
visits at least about the square root of b1 * b2 * ... leaves (Knuth and Moore 1975). Random games are a sample of the
tree (D. E. Knuth 1975, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29). If the search
to the end takes too many nodes, deepening continues. The transposition table then contains the best moves that this
search has found. Measurements are in `benchmarks/results.md`.
"""

import functools
import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import check_depth, check_memory, check_seconds, check_threads
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.ordering import KIND, ORDERS, parse_order, remember_previous
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY, TIME_LIMIT
from gamesearch.errors import GamesearchError
from gamesearch.game import NEVER, Game
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.symmetric_games import fold_symmetries, refuse_unequal_estimates

__all__ = ["SHARES", "Deepening", "DeepeningSearch", "Endgame", "TimeManagement", "WindowSearch", "least_nodes"]

SHARES = (1.5, 1.0, 0.8, 0.65, 0.5)
"""Deepening begins another depth only if less than this fraction of the target time has passed. The index is the number
of successive depths with the same best move (0 to 4; 4 also stands for more). The next depth usually takes longer than
all previous depths together."""


class TimeManagement:
    """Decides when deepening has used enough of its target time. If the best move stays the same, deepening stops
    sooner."""

    def __init__(self, target: float | None) -> None:
        self.target = target
        self.best: int | None = None
        self.unchanged = 0
        """The number of successive depths with the same best move."""

    def is_enough(self, best: int | None, seconds: float) -> bool:
        """Whether deepening should stop after a depth. `best` is the best move of this depth, and `seconds` is the time
        since the start of the search."""
        self.unchanged = self.unchanged + 1 if best == self.best else 0
        self.best = best
        return self.target is not None and seconds >= self.target * SHARES[min(self.unchanged, len(SHARES) - 1)]


# Searching to the end. ---------------------------------------------------------------------------
PLAYOUTS = 8
MOST_NODES = 1e9
"""A search to the end is tried only if no random game leads to an estimate of more nodes than this."""
MOST_PLIES = 256
"""A search to the end is tried only if random games have at most this number of plies."""
NODES_ALLOWED = 8
"""A search to the end may visit this many times the estimated minimum number of nodes."""
NODES_BEFORE = 1 / 4
"""Before a search to the end, iterative deepening visits this fraction of the estimated nodes. It may find a quick
win."""
SHARE = 1 / 4
"""The search to the end may take at most this fraction of the remaining time or nodes."""


class Endgame:
    """Decides when iterative deepening tries a search to the end of the game. Such a search is tried at most once."""

    def __init__(self, runner: Runner, state: Any) -> None:
        self.runner, self.state, self.was_tried = runner, state, False

    @functools.cached_property
    def least(self) -> float:
        """The estimated minimum number of nodes of a search to the end."""
        return least_nodes(self.runner.game, self.state)

    def is_due(self) -> bool:
        """Whether to begin a search to the end of the game. Such a search must not have been tried before, and the
        limits must allow it. Deepening must also have visited enough nodes to find quick wins."""
        is_time = not self.was_tried and self.runner.counts.nodes >= NODES_BEFORE * self.least
        return is_time and NODES_ALLOWED * self.least <= SHARE * self.runner.nodes_left

    def attempt(self) -> AbstractContextManager[None]:
        """Return a context manager that sets the node limit for a search to the end of the game."""
        self.was_tried = True
        return self.runner.limit_nodes(round(NODES_ALLOWED * self.least))


def least_nodes(game: Game, state: Any) -> float:
    """The estimated minimum number of nodes of a search to the end; infinite if games are very long or can last
    forever.

    If a random game has b1, b2, ... legal moves at its plies, the estimate from this game is sqrt(b1 * b2 * ...). The
    result is the mean of the estimates from some random games. This mean is arithmetic: if the game can end early, as
    in Connect Four, the geometric mean is far too low.
    """
    if game.repetition != NEVER:
        return math.inf
    total = 0.0
    for playout in range(PLAYOUTS):
        found = moves_to_choose_from(game, state, mix(playout))
        if found > MOST_NODES:
            return math.inf
        total += found
    return total / PLAYOUTS


def moves_to_choose_from(game: Game, state: Any, random: int) -> float:
    """Play a random game, and multiply the numbers of legal moves in its positions. Returns the square root of the
    product, or a number above MOST_NODES if the game is too long."""
    found = 1.0
    for _ in range(MOST_PLIES):
        moves = [] if game.terminal(state) else game.steps(state)
        if not moves or found > MOST_NODES:
            return found
        found *= math.sqrt(len(moves))
        random = mix(random)
        state = game.result(state, moves[(random >> 1) % len(moves)])
    return math.inf


# The algorithms. ----------------------------------------------------------------------------------
class Deepening(Algorithm):
    """An algorithm with iterative deepening. A stopped search returns the result of the last completed depth."""

    can_deepen = True
    parameter_help: ClassVar[Mapping[str, str]] = {
        **Algorithm.parameter_help,
        "time": "seconds after which to stop with the result of the last completed depth (or a better move found "
        "since then); 0 for no limit; with a time limit, deepen is always true",
        "deepen": "whether to search to depth 1, 2, 3, ... up to the limits",
    }

    endgame: bool = False
    """Whether iterative deepening tries a search to the end of the game as soon as the limits allow it."""
    keeps_best_of_root: bool = True
    """Whether the best of the finished root moves is known after a search is stopped."""

    def depths(self, game: Game, state: Any, limit: int) -> Sequence[int]:  # noqa: ARG002
        """The depths to search, in order. Iterative deepening searches from depth 1 to the limit; other searches only
        use the limit."""
        return range(min(1, limit), min(limit, MAX_PLY) + 1) if self.deepen else (limit,)

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[Any, tuple[int, ...]]:
        """Search the root to a depth. Returns the value and the principal variation."""
        raise NotImplementedError

    def finish(self, runner: Runner, state: Any, depth: int, found: SearchResult) -> SearchResult:  # noqa: ARG002
        """The result to report for a finished depth: by default, `found`. Deepening continues with `found`, even if
        another result is reported."""
        return found

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Search to each depth, and return the last result that `iterations` yields."""
        last: SearchResult | None = None
        for last in self.iterations(runner, state):
            if runner.monitor is not None and not last.stopped:
                runner.monitor.finished(runner.judge(last))
        assert last is not None
        if runner.stopped and not last.stopped:
            distance_nodes = last.statistics.distance_nodes
            last = replace(
                last, statistics=replace(runner.statistics(), distance_nodes=distance_nodes), stopped=runner.stopped
            )
        # The value of a win or a loss is certain, because no estimate has such a value.
        game, is_exact = runner.game, last.bound == "exact"
        is_decided = is_exact and game.win_or_loss and last.value in (game.MINSCORE, game.MAXSCORE)
        return replace(last, is_decided=True) if is_decided else last

    def iterations(self, runner: Runner, state: Any) -> Iterator[SearchResult]:
        """Yield the result of each finished depth. An unfinished depth also yields a result if it is the first depth,
        or if it found a better move."""
        deepest = runner.limits.depth
        assert deepest is not None
        remember_previous(runner.ordering, ())
        every = self.depths(runner.game, state, deepest)
        depths = every[bisect_left(every, runner.limits.first or 1) :] or every[-1:]
        endgame = Endgame(runner, state) if self.endgame and self.deepen and deepest >= FULL_DEPTH else None
        found: SearchResult | None = None
        runner.helpers.is_deepening = len(depths) > 1
        pace = TimeManagement(runner.limits.target)
        for depth in depths:
            if found is not None and runner.limits.time is not None and runner.seconds >= runner.limits.time:
                runner.stop(TIME_LIMIT)  # an algorithm from a file might not check the time
                break
            value, variation = self.one_depth(runner, state, depth)
            if found is not None and runner.stopped and not self.is_better(runner, variation, found):
                break
            found = self.depth_result(runner, state, depth, value, variation)
            yield self.finish(runner, state, depth, found)
            if runner.stopped or self.is_decided(runner, found) or pace.is_enough(found.best, runner.seconds):
                break
            remember_previous(runner.ordering, variation)
            if endgame is not None and endgame.is_due():
                with endgame.attempt():
                    value, variation = self.one_depth(runner, state, FULL_DEPTH)
                    is_finished = not runner.stopped
                if is_finished:
                    last = self.depth_result(runner, state, FULL_DEPTH, value, variation)
                    yield self.finish(runner, state, FULL_DEPTH, last)
                    break

    def depth_result(
        self, runner: Runner, state: Any, depth: int, value: Any, variation: tuple[int, ...]
    ) -> SearchResult:
        """Make the result of a search to `depth`."""
        runner.depth = depth if depth < FULL_DEPTH else 0
        return self.result(runner, state, value, runner.extend_variation(state, variation, value, depth))

    def is_decided(self, runner: Runner, found: SearchResult) -> bool:
        """Whether no greater depth can change the result."""
        is_won = runner.ply_cost > 0 and found.value in (runner.game.MINSCORE, runner.game.MAXSCORE)
        return runner.sees_the_end or is_won

    def is_better(self, runner: Runner, variation: tuple[int, ...], found: SearchResult) -> bool:
        """Whether an unfinished search has found a better move than the search to the previous depth.

        Suppose that the first searched move was the best move of the previous depth, and that another move is now the
        best. The value of the other move is then at least the value of the first move, so the other move is the better
        choice.
        """
        is_another = bool(variation) and variation[0] != found.best
        return is_another and self.keeps_best_of_root and runner.first_root_move == found.best


class DeepeningSearch(Deepening):
    """An algorithm with a transposition table, move ordering, and iterative deepening."""

    choices: ClassVar[Mapping[str, Collection[str]]] = {"order": ORDERS}
    parameter_help: ClassVar[Mapping[str, str]] = {
        **Deepening.parameter_help,
        "table": "whether to remember positions in a transposition table",
        "memory": "the size of the transposition table in megabytes, rounded down to a power of two",
        "order": "which moves to search first; join several orders by +",
        "symmetries": "whether the transposition table treats turned or mirrored positions as equal",
        "threads": "the number of threads that search one tree and share the table (needs table=true); a search with "
        "several threads is not repeatable; interpreted searches use only one thread",
    }

    kind: ClassVar[type[Runner]] = Runner
    """The class of the algorithm's runners."""

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
        """Check the parameters, and store them as attributes."""
        self.threads = check_threads(threads)
        if threads > 1 and not table:
            raise GamesearchError("threads= needs table=true, because the threads share their results in the table")
        if symmetries and not table:
            raise GamesearchError("symmetries=true needs table=true, because symmetries affect only the table")
        self.database, self.symmetries = str(database), symmetries
        self.depth, self.time, self.deepen = check_depth(depth), check_seconds(time), deepen or time > 0
        self.table, self.memory, self.order, self.orders = table, check_memory(memory), order, parse_order(order)

    def fits(self, game: Game) -> None:
        """Check that the algorithm, the symmetries and the move order fit the game."""
        super().fits(game)
        if self.symmetries:
            refuse_unequal_estimates(fold_symmetries(game))
        if self.orders & KIND and not game.has_move_kinds:
            raise GamesearchError(f"{game.name} does not divide its moves into kinds, so order=kind is not possible")

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """The runner for searches of a game. The runner owns the transposition table and the move ordering."""
        memory, database = self.memory if self.table else 0, Database(self.database, game) if self.database else None
        # If no order has an effect in this game, kernels are compiled without move ordering.
        orders = self.orders if game.has_order else self.orders & ~ORDERS["game"]
        by_keys = fold_symmetries(game) if self.symmetries else game
        return self.kind(by_keys, speed, memory=memory, orders=orders, threads=self.threads, database=database)


class WindowSearch(DeepeningSearch):
    """An algorithm that searches the root within a window."""

    @staticmethod
    def kernel(game: Any, s: Any, alpha: float, beta: float, depth: int, ply: int, search: Any) -> float:
        """The search function."""
        raise NotImplementedError

    def window_search(
        self, runner: Runner, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """The value of the root (a bound if the value is outside the window) and the principal variation."""
        # Helper threads may search deeper than the main thread.
        deepest, can_go_on = runner.limits.depth, self.deepen and depth < FULL_DEPTH
        value = runner.execute_by_all(
            self.kernel,
            lambda by, deeper: (by.game, state, float(alpha), float(beta), depth + deeper, 0, by.arguments),
            min(deepest - depth, MAX_PLY) if can_go_on and deepest is not None else 0,
        )
        return float(value), runner.variation
