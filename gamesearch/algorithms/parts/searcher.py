"""A running search: its speed, its workspace and table, its clock, and how it is stopped.

An algorithm runs its kernels by a Searcher. All runs share one workspace, so there is one counter, one clock and one
stop for the whole search, however often the algorithm starts again from the root.
"""

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from gamesearch import compiler
from gamesearch.algorithms.parts.ordering import new_ordering
from gamesearch.algorithms.parts.recurrence import note_past
from gamesearch.algorithms.parts.result import Limits, Monitor, Observer, Progress, Statistics
from gamesearch.algorithms.parts.table import Table, probe, stored_move
from gamesearch.algorithms.parts.workspace import (
    ENDLESS_MOVES,
    INTERRUPTED,
    MAX_PLY,
    NODE_LIMIT,
    OUT_OF_SPACE,
    RUNNING,
    TIME_LIMIT,
    TOO_DEEP,
    VARIATION_PLIES,
    adjusted_for_ply,
    cost_of_a_ply,
    new_workspace,
)
from gamesearch.bits import mix
from gamesearch.checking import endless_moves
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MAX, RECURRENCE_DRAWS, Game

__all__ = ["Searcher"]

STOPPED = {
    RUNNING: "",
    NODE_LIMIT: "nodes",
    TIME_LIMIT: "time",
    INTERRUPTED: "interrupted",
    OUT_OF_SPACE: "space",
    TOO_DEEP: "space",
}
STACK_BYTES = 64 << 20
"""The stack size of a search's thread: enough for MAX_PLY compiled frames."""


class Searcher:
    """The resources of one search: workspace, table, ordering, limits, monitor and observer."""

    def __init__(
        self,
        game: Game[Any],
        limits: Limits,
        speed: str = "auto",
        *,
        memory: int = 0,
        orders: int = 0,
        monitor: Monitor | None = None,
        observer: Observer | None = None,
        past: Sequence[Any] = (),
    ) -> None:
        self.game, self.limits, self.monitor, self.observer = game, limits, monitor, observer
        self.past = past
        self.orders = orders
        self.depth = 0
        wanted = "interpreted" if observer is not None else speed
        self.speed = compiler.speed_for(game, wanted)
        self.asked, self.is_forced = wanted, wanted == "compiled"
        self.is_preparing = False
        self.ply_cost = 0.0
        self.settings: dict[str, Any] = {}
        self.truncated_before = 0
        self.held_table = Table(memory) if memory else None
        if self.speed == "compiled":
            compiler.note_changes(game)
        self.allocate()
        self.started = time.perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        # After an error, a thread may still be writing to the table.
        if self.held_table is not None and kind is None:
            self.held_table.release()

    def allocate(self) -> None:
        """Make workspace, table and ordering in the form of the present speed."""
        is_compiled = self.speed == "compiled"
        self.workspace = new_workspace(is_compiled, node_limit=self.limits.nodes)
        self.table = self.held_table.view(is_compiled) if self.held_table is not None else None
        self.ordering = new_ordering(self.orders, is_compiled)

    def begin(
        self, *, bounds: bool = False, mate_distances: bool = False, fail_hard: bool = False, pruning: int = 0
    ) -> None:
        """Set the options of the next run; the counts go on."""
        self.ply_cost = cost_of_a_ply(self.game) if mate_distances else 0.0
        self.settings = {"bounds": bounds, "ply_cost": self.ply_cost, "fail_hard": fail_hard, "pruning": pruning}
        self.truncated_before = int(self.workspace.truncated)

    def note_iteration(self, depth: int | None, purpose: str) -> None:
        """Tell the observer that a search from the root begins."""
        if self.observer is not None:
            self.observer.iteration(depth or 0, purpose)

    def forget_table(self) -> None:
        """Empty the table."""
        if self.held_table is not None:
            self.held_table.forget()

    @property
    def stopped(self) -> str:
        """Why the search was stopped, or empty."""
        return STOPPED[int(self.workspace.stop)]

    @property
    def sees_the_end(self) -> bool:
        """Whether the search was not stopped and used no evaluation since `begin`."""
        return not self.stopped and int(self.workspace.truncated) == self.truncated_before

    @property
    def seconds(self) -> float:
        """The seconds since the search began, without those of compiling."""
        return time.perf_counter() - self.started

    @property
    def variation(self) -> tuple[int, ...]:
        """The principal variation of the last run."""
        length = min(int(self.workspace.variation_length[0]), VARIATION_PLIES)
        return tuple(int(self.workspace.variation[0][i]) for i in range(length))

    def extended_variation(self, state: Any, variation: tuple[int, ...], value: float, depth: int) -> tuple[int, ...]:
        """A principal variation that a table hit cut short, continued with moves from the table.

        A move of the table is added only where the table proves that it keeps the value.
        """
        if self.held_table is None or not variation or self.stopped:
            return variation
        table, game, moves, path = self.held_table.view(False), self.game, list(variation), [state]
        for move in variation:
            path.append(game.result(path[-1], move))
        recurs = game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN)
        while len(moves) < VARIATION_PLIES and not game.terminal(state := path[-1]) and game.player(state) != CHANCE:
            if recurs and game.progress(path[-2]) == game.progress(state):
                break
            ply = len(moves)
            lower, upper, stored = probe(table, mix(game.key(state)), depth - ply, self.workspace)
            bound = lower if game.player(state) == MAX else upper
            found = [move for move in game.moves(state) if stored_move(move) == stored]
            if adjusted_for_ply(game, float(bound), ply, self.workspace) != value or not found:
                break
            moves.append(found[0])
            path.append(game.result(state, found[0]))
        return tuple(moves)

    def statistics(self) -> Statistics:
        """The counts so far."""
        counts = self.workspace
        return Statistics(
            nodes=int(counts.nodes),
            leaves=int(counts.leaves),
            cutoffs=int(counts.cutoffs),
            table_hits=int(counts.table_hits),
            depth=self.depth or int(counts.deepest),
            seconds=self.seconds,
            speed=self.speed,
        )

    def run(self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Any:
        """Run a kernel and return its value, which counts only if the search is not `stopped` afterwards.

        `arguments` makes the kernel's arguments, from the workspace, table and ordering of the speed that is used.
        """
        if self.monitor is None and self.limits.time is None:
            return self.run_here(kernel, arguments)
        return self.run_in_thread(kernel, arguments)

    def run_here(self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Any:
        """Run a kernel in the present thread; interpreted if it cannot be compiled."""
        self.apply_settings()
        if self.speed == "compiled":
            begun = time.perf_counter()
            try:
                given = arguments()
                self.is_preparing = True
                code = compiler.prepared(kernel, self.game, given)
                self.prepared_since(begun)
                return self.checked(code(*given))
            except compiler.NotCompilable as error:
                if self.is_forced:
                    raise GamesearchError(f"{self.game.name} cannot be compiled: {error}") from error
                self.prepared_since(begun)
                self.speed = "interpreted"
                self.allocate()
                self.apply_settings()
        with recursion_limit(5 * MAX_PLY):
            return self.checked(kernel(*arguments()))

    def checked(self, value: Any) -> Any:
        """The value that a kernel returned; raises GamesearchError if it met rules that yield moves without end."""
        if self.workspace.stop == ENDLESS_MOVES:
            raise endless_moves(self.game)
        return value

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel that calls no method of the game, at the searcher's speed."""
        if self.speed != "compiled":
            return kernel(*arguments)
        begun = time.perf_counter()
        code = compiler.prepared(kernel, self.game, arguments)
        self.prepared_since(begun)
        return code(*arguments)

    def prepared_since(self, begun: float) -> None:
        """Subtract the time since `begun`, spent on compiling or loading, from the time of the search."""
        self.leave_out(time.perf_counter() - begun)
        self.is_preparing = False

    def leave_out(self, seconds: float) -> None:
        """Subtract some seconds from the time of the search."""
        self.started += seconds

    def apply_settings(self) -> None:
        """Write the options of the run into the workspace."""
        self.workspace.top = 0
        note_past(self.game, self.past, self.workspace)
        self.workspace.generation = self.held_table.generation if self.held_table is not None else 0
        for name, value in self.settings.items():
            setattr(self.workspace, name, value)

    def run_in_thread(self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Any:
        """Run a kernel in a thread of its own; this thread watches the clock, the monitor and Ctrl-C."""
        outcome: list[Any] = [None, None]
        done = threading.Event()  # a join that Ctrl-C interrupts may mark a running thread as ended

        def work() -> None:
            try:
                outcome[0] = self.run_here(kernel, arguments)
            except BaseException as error:  # raised again in the thread that waits
                outcome[1] = error
            finally:
                done.set()

        thread = threading.Thread(target=work, daemon=True)
        with self.announcing() as progress:
            before = threading.stack_size(STACK_BYTES)
            thread.start()
            threading.stack_size(before)
            while not done.is_set():
                self.watch(done, progress)
        if outcome[1] is not None:
            raise outcome[1]
        return outcome[0]

    @contextlib.contextmanager
    def announcing(self) -> Any:
        """A Progress that names the kernel being compiled while there is one."""
        progress = Progress()

        def started(name: str) -> None:
            progress.compiling = name

        def ended(_: float) -> None:
            progress.compiling = ""

        if self.speed == "compiled":
            with compiler.compilations(started, ended):
                yield progress
        else:
            yield progress

    def watch(self, done: threading.Event, progress: Progress) -> None:
        """Wait a moment; stop the search if the time is up, the monitor says so, or Ctrl-C was pressed."""
        monitor, time_limit = self.monitor, self.limits.time
        interval = monitor.interval if monitor is not None else 0.05
        if time_limit is not None and not self.is_preparing:
            interval = max(0.0, min(interval, time_limit - self.seconds))
        try:
            done.wait(interval)
            if time_limit is not None and not self.is_preparing and self.seconds >= time_limit:
                self.stop(TIME_LIMIT)
                done.wait(interval + 0.001)
            if monitor is not None:
                progress.nodes, progress.depth = int(self.workspace.nodes), self.depth
                progress.seconds = self.seconds
                if monitor.poll(progress):
                    self.stop(INTERRUPTED)
        except KeyboardInterrupt:
            self.stop(INTERRUPTED)
            if monitor is None or monitor.interrupted:
                raise
            monitor.interrupted = True

    def stop(self, reason: int) -> None:
        """Make the kernel return as soon as it reads `stop`."""
        if not self.workspace.stop:
            self.workspace.stop = reason


@contextlib.contextmanager
def recursion_limit(frames: int) -> Any:
    """Raise Python's recursion limit to some frames."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
