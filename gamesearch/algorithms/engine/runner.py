"""The runner, which runs kernels and owns the transposition table, the move ordering and the database of a search.

An algorithm runs its kernels with a Runner. An algorithm may run a kernel from the root many times in one search, for
example with iterative deepening. All runs of one search share the counts, the clock, and the reason for a stop.
"""

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from gamesearch.algorithms.engine.execution import Arguments, Context, Execution, Kernel, SpeedProperty
from gamesearch.algorithms.engine.lazy_smp import ADDED, HelperThreads
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult, Statistics
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.ordering import new_ordering
from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.node.repetition import note_past
from gamesearch.algorithms.node.table import Table, probe, stored_move
from gamesearch.algorithms.node.values import adjusted_for_ply, cost_of_a_ply
from gamesearch.algorithms.node.workspace import (
    MAX_PLY,
    NO_LIMIT,
    VARIATION_PLIES,
    Groups,
    Memory,
    Options,
    Run,
    Search,
)
from gamesearch.game import CHANCE, FORBIDDEN, MAX, REPETITION_DRAWS, Game
from gamesearch.optional import ExchangeGame, SelectiveGame, Shortcuts
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.symmetric_games import FoldedMethods

__all__ = ["Runner", "groups_of"]


def groups_of(game: Game) -> Groups:
    """The groups of optional methods that a game defines, in the form that kernels read."""
    kinds = (Shortcuts, SelectiveGame, ExchangeGame)
    return Groups(*(1 if isinstance(game, kind) else None for kind in kinds))


class Runner(Execution):
    """Runs the kernels for searches of one game. Call `start` before each search. The transposition table and the move
    ordering are kept for the next search if `begin` is called with the same options."""

    def __init__(
        self,
        game: Game,
        speed: str = "auto",
        *,
        memory: int = 0,
        orders: int = 0,
        threads: int = 1,
        database: Database | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        super().__init__(game, speed)
        self.orders, self.threads, self.database = orders, threads, database
        self.held_table = Table(memory) if memory else None
        self.settings: dict[str, float] = {}
        self.ply_cost = 0.0
        self.judge: Callable[[SearchResult], SearchResult] = lambda found: found
        """Corrects a result, because a search does not know which payoffs are assumed."""
        self.start(Limits(), monitor=monitor)

    divides_nodes: ClassVar[bool] = True
    """Whether a node limit is divided among the threads. The limit must be divided if each kernel counts only its own
    nodes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        # After an error, the memory is not released, because a thread may still be writing to it.
        if kind is None:
            self.release()

    def release(self) -> None:
        """Return the memory of the table, so that later searches can use it. A released runner must not be used any
        more."""
        if self.held_table is not None:
            self.held_table.release()
        super().release()

    def start(
        self,
        limits: Limits,
        monitor: Monitor | None = None,
        *,
        observer: Observer | None = None,
        past: Sequence[Any] = (),
    ) -> None:
        """Begin a search: reset the counts and the clock. `past` contains the earlier positions of the game."""
        self.observer, self.past = observer, past
        self.truncated_before = 0
        if observer is not None:
            self.room = MAX_PLY  # the observer must not see an attempt that is later repeated on a larger stack
        if self.held_table is not None:
            self.held_table.begin_search()
        super().start(limits, monitor)

    def restart_with_counts(self) -> None:
        """Begin the search again. The count of nodes is kept, and all other counts are reset."""
        nodes = self.own_nodes
        self.begin_counts()
        self.counts.nodes = nodes

    @property
    def counts(self) -> Any:
        """An object whose attributes are the counts so far. To change a count, set its attribute."""
        return self.workspace.counts_handle.fields

    def execute(self, kernel: Kernel, arguments: Arguments, context: Context | None = None) -> Any:
        """Write the options, run a kernel in the main thread, and return its value (see `Execution.execute`)."""
        return super().execute(kernel, lambda: self.prepare_arguments(arguments), context)

    def execute_by_all(self, kernel: Kernel, arguments: Callable[[Self, int], tuple[Any, ...]], plies: int) -> Any:
        """Run a kernel in all threads and return the value of the main thread.

        `arguments` is called for each thread, with the runner of this thread and a number of additional plies. It
        returns the kernel's arguments. The number of additional plies is 0 for the main thread, and at most `plies` for
        a helper thread.
        """

        def helping(helper: Self, deeper: int) -> tuple[Any, ...]:
            return helper.prepare_arguments(lambda: arguments(helper, deeper))

        return self.helpers.execute(kernel, lambda: arguments(self, 0), self.prepare_helper, helping, plies)

    def prepare_arguments(self, arguments: Arguments) -> tuple[Any, ...]:
        """Write the options into the workspace. Returns the arguments of a kernel."""
        self.apply_settings()
        return arguments()

    # Arguments of kernels. -----------------------------------------------------------------------
    @SpeedProperty
    def memory(self) -> Memory:
        """The transposition table, the move ordering and the database, in the form that kernels use."""
        is_compiled = self.speed == "compiled"
        table = self.held_table.view(is_compiled) if self.held_table is not None else None
        ordering = self.ordering.record if self.ordering is not None else None
        layers = self.database.layers(is_compiled, self.game) if self.database is not None else None
        return Memory(table, ordering, layers)

    @SpeedProperty
    def ordering(self) -> RecordHandle | None:
        """The memory of the move ordering; None if moves are not ordered."""
        return new_ordering(self.orders, self.speed == "compiled")

    @functools.cached_property
    def groups(self) -> Groups:
        """The groups of optional methods that the game defines."""
        return groups_of(self.game)

    @property
    def options(self) -> Options:
        """The options that kernels read."""
        return self.workspace.options

    @property
    def run(self) -> Run:
        """The records that kernels write, and the observer."""
        run = self.workspace.run
        return run if self.observer is None else run._replace(observer=self.observer)

    @property
    def arguments(self) -> Search:
        """The value for the parameter `search` of an alpha-beta kernel."""
        return Search(self.options, self.memory, self.run, self.groups)

    # Several threads. ----------------------------------------------------------------------------
    @SpeedProperty
    def helpers(self) -> HelperThreads[Self]:
        """The helper threads. Interpreted searches have no helper threads."""
        numbers = range(1, self.threads) if self.speed == "compiled" else range(0)
        helpers = [self.helper(number) for number in numbers]
        return HelperThreads(self, helpers, divides_nodes=self.divides_nodes)

    def helper(self, number: int) -> Self:  # noqa: ARG002
        """Make the runner of a helper thread. It shares the transposition table of this runner, but has its own
        records."""
        helper = type(self)(self.game, self.requested_speed, orders=self.orders, database=self.database)
        helper.held_table = self.held_table
        return helper

    def prepare_helper(self, helper: Self, nodes: int | None) -> None:
        """Give a helper the options of this runner and a limit of `nodes` nodes."""
        helper.settings, helper.past = self.settings, self.past
        helper.limits, helper.room = Limits(nodes=nodes), self.room
        helper.begin_counts()

    def begin(
        self,
        depth: int | None = None,
        purpose: str = "",
        *,
        bounds: bool = False,
        mate_distances: bool = False,
        fail_hard: bool = False,
        pruning: int = 0,
        practical: bool = False,
        deeper: bool = False,
    ) -> None:
        """Set the options of the next run. Counts are not reset. If the options differ from the last options, the
        transposition table is emptied.

        If a `purpose` is given, the observer is informed that a search from the root begins. The purpose is `search`
        (find the value), `distance` (find the distance of a win), or one of `trace.events.GROWING`.
        """
        if purpose and self.observer is not None:
            self.observer.iteration(depth or 0, purpose)
        self.ply_cost = cost_of_a_ply(self.game) if mate_distances else 0.0
        settings = {
            "bounds": bounds,
            "ply_cost": self.ply_cost,
            "fail_hard": fail_hard,
            "pruning": pruning,
            "practical": practical,
            "deeper": deeper,
            "shared": self.threads > 1,
        }
        if self.held_table is not None and self.settings not in ({}, settings):
            self.held_table.forget()
        self.settings = settings
        self.truncated_before = self.workspace.counts_handle.read("truncated")

    def apply_settings(self) -> None:
        """Write the options of the run into the workspace."""
        table = self.held_table
        generation, oldest = (table.generation, table.oldest) if table is not None else (0, 0)
        limit = self.helpers.node_limit
        node_limit = NO_LIMIT if limit is None else limit
        workspace, path = self.workspace, self.workspace.path
        workspace.set_options(node_limit=node_limit, generation=generation, oldest=oldest, **self.settings)
        if workspace.past is not self.past:
            path.write(past=note_past(self.game, self.past, path.fields))
            workspace.past = self.past
        path.write(top=0, iteration=0, previous=0)
        workspace.counts_handle.write(room=self.room)

    # Results. ------------------------------------------------------------------------------------
    @property
    def sees_the_end(self) -> bool:
        """Whether the search since `begin` ran to its end without using estimates."""
        return not self.stopped and self.workspace.counts_handle.read("truncated") == self.truncated_before

    @property
    def nodes_left(self) -> float:
        """The approximate number of nodes that the limits still allow. A time limit is converted to nodes by the speed
        of the search so far."""
        nodes, limits = self.workspace.counts_handle.read("nodes"), self.limits
        left = math.inf if limits.nodes is None else float(limits.nodes - nodes)
        seconds = self.seconds
        return left if limits.time is None else min(left, nodes * (limits.time - seconds) / seconds)

    @property
    def variation(self) -> tuple[int, ...]:
        """The principal variation of the last run."""
        return self.workspace.variation

    @property
    def first_root_move(self) -> int:
        """The move that the last run searched first at the root. The result is defined only if the run has also begun
        to search a second move."""
        return int(self.workspace.path.fields.moves[0])

    def extend_variation(self, state: Any, variation: tuple[int, ...], value: float, depth: int) -> tuple[int, ...]:
        """If an entry of the transposition table ended a principal variation early, extend it by moves from the table.

        A move is added only if the table proves that the move keeps the value. This method interprets the rules. In
        chess, this takes longer than a short search. So a variation that reaches the horizon is not extended.
        """
        is_turned = isinstance(self.game, FoldedMethods)  # stored moves may belong to symmetric positions
        if self.held_table is None or not variation or self.stopped or len(variation) >= depth or is_turned:
            return variation
        table, game, moves = self.held_table.view(False), self.game, list(variation)
        path = list(itertools.accumulate(variation, game.result, initial=state))
        options = self.workspace.options_handle.fields
        can_repeat = game.repetition in (REPETITION_DRAWS, FORBIDDEN)
        while len(moves) < VARIATION_PLIES and not game.terminal(state := path[-1]) and game.player(state) != CHANCE:
            if can_repeat and game.progress(path[-2]) == game.progress(state):
                break
            ply = len(moves)
            lower, upper, stored, _ = probe(table, mix(game.key(state)), depth - ply, options)
            bound = lower if game.player(state) == MAX else upper
            found = [move for move in game.moves(state) if stored_move(move) == stored]
            if adjusted_for_ply(game, float(bound), ply, self.ply_cost) != value or not found:
                break
            moves.append(found[0])
            path.append(game.result(state, found[0]))
        return tuple(moves)

    def statistics(self) -> Statistics:
        """The counts so far."""
        counted = self.workspace.counts_handle.numbers()
        return Statistics(
            **{name: counted[name] for name in ADDED},
            depth=self.depth or counted["deepest"],
            seconds=self.seconds,
            speed=self.speed,
            threads=len(self.helpers) + 1,
        )
