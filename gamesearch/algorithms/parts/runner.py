"""What searches run with: the speed, workspace, table and ordering, the clock, and how they are stopped.

An algorithm runs its kernels by a Runner. All runs of one search share its counts, so there is one counter, one clock
and one stop for the whole search, however often the algorithm starts again from the root.
"""

import contextlib
import functools
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self

from gamesearch import compiler
from gamesearch.algorithms.parts.ordering import new_ordering
from gamesearch.algorithms.parts.records import Held
from gamesearch.algorithms.parts.recurrence import note_past
from gamesearch.algorithms.parts.result import Limits, Monitor, Observer, Progress, Statistics
from gamesearch.algorithms.parts.table import Table, probe, stored_move
from gamesearch.algorithms.parts.values import adjusted_for_ply, cost_of_a_ply
from gamesearch.algorithms.parts.workspace import (
    ENDLESS_MOVES,
    INTERRUPTED,
    MAX_PLY,
    NO_LIMIT,
    NODE_LIMIT,
    OUT_OF_SPACE,
    RUNNING,
    TIME_LIMIT,
    TOO_DEEP,
    VARIATION_PLIES,
    Counts,
    Memory,
    Options,
    Run,
    Workspace,
)
from gamesearch.bits import mix
from gamesearch.checking import endless_moves
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MAX, RECURRENCE_DRAWS, Game

__all__ = ["Runner"]

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


class Runner:
    """What searches of one game run with; for each of them, `start` is called first.

    Workspace, table and ordering are made when they are first needed. Table and ordering stay from one search to the
    next, as long as `begin` is asked for the same.
    """

    def __init__(
        self,
        game: Game[Any],
        speed: str = "auto",
        *,
        memory: int = 0,
        orders: int = 0,
        monitor: Monitor | None = None,
    ) -> None:
        self.game, self.orders = game, orders
        self.asked, self.is_forced = speed, speed == "compiled"
        self.speed = compiler.speed_for(game, speed)
        self.held_table = Table(memory) if memory else None
        self.settings: dict[str, float] = {}
        self.ply_cost = 0.0
        self.start(Limits(), monitor=monitor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        # After an error, a thread may still be writing to the workspace and the table.
        if kind is None:
            self.release()

    def release(self) -> None:
        """Let later searches use the memory; this runner must not be used any more."""
        if self.held_table is not None:
            self.held_table.release()
        if "workspace" in vars(self):
            self.workspace.release()

    def start(
        self,
        limits: Limits,
        *,
        monitor: Monitor | None = None,
        observer: Observer | None = None,
        past: Sequence[Any] = (),
    ) -> None:
        """Begin a search: its counts and its clock. `past` are the positions of the game before the root."""
        self.limits, self.monitor, self.observer, self.past = limits, monitor, observer, past
        self.depth = self.truncated_before = 0
        self.is_preparing = False
        if self.held_table is not None:
            self.held_table.begin_search()
        if self.speed == "compiled":
            compiler.note_changes(self.game)
        self.begin_counts()
        self.started = time.perf_counter()

    def begin_counts(self) -> None:
        """Set all counts to zero."""
        if "workspace" in vars(self):
            self.workspace.begin()

    # What kernels are given. ---------------------------------------------------------------------
    @functools.cached_property
    def workspace(self) -> Workspace:
        """The records that a kernel of the present speed is asked by, and writes."""
        return Workspace.taken(self.speed == "compiled")

    @functools.cached_property
    def memory(self) -> Memory:
        """Table and ordering in the form of the present speed."""
        table = self.held_table.view(self.speed == "compiled") if self.held_table is not None else None
        return Memory(table, self.ordering.record if self.ordering is not None else None)

    @functools.cached_property
    def ordering(self) -> Held | None:
        """What ordering remembers; None without one."""
        return new_ordering(self.orders, self.speed == "compiled")

    @property
    def options(self) -> Options:
        """What was asked."""
        options: Options = self.workspace.options
        return options

    @property
    def run(self) -> Run:
        """What a kernel writes."""
        run = self.workspace.run
        return run if self.observer is None else run._replace(observer=self.observer)

    @property
    def arguments(self) -> tuple[Options, Memory, Run]:
        """What a search's kernel is given besides the position."""
        return self.options, self.memory, self.run

    @property
    def counts(self) -> Any:
        """The counts so far, as attributes that may be set."""
        return self.workspace.counted.fields

    def interpret(self) -> None:
        """Go on interpreted, with all counts at zero."""
        self.speed = "interpreted"
        for name in ("workspace", "memory", "ordering"):
            vars(self).pop(name, None)

    def begin(
        self,
        *,
        bounds: bool = False,
        mate_distances: bool = False,
        fail_hard: bool = False,
        pruning: int = 0,
        practical: bool = False,
        deeper: bool = False,
    ) -> None:
        """Set the options of the next run; the counts go on. If they are others than before, the table is emptied."""
        self.ply_cost = cost_of_a_ply(self.game) if mate_distances else 0.0
        settings = {
            "bounds": bounds,
            "ply_cost": self.ply_cost,
            "fail_hard": fail_hard,
            "pruning": pruning,
            "practical": practical,
            "deeper": deeper,
        }
        if self.held_table is not None and self.settings not in ({}, settings):
            self.held_table.forget()
        self.settings = settings
        self.truncated_before = self.workspace.counted.read("truncated")

    def apply_settings(self) -> None:
        """Write the options of the run into the workspace."""
        table = self.held_table
        generation, oldest = (table.generation, table.oldest) if table is not None else (0, 0)
        node_limit = NO_LIMIT if self.limits.nodes is None else self.limits.nodes
        self.workspace.ask(node_limit=node_limit, generation=generation, oldest=oldest, **self.settings)
        self.workspace.path.write(top=0, past=note_past(self.game, self.past, self.workspace.path.fields))

    # What was found. -----------------------------------------------------------------------------
    def note_iteration(self, depth: int | None, purpose: str) -> None:
        """Tell the observer that a search from the root begins."""
        if self.observer is not None:
            self.observer.iteration(depth or 0, purpose)

    @property
    def stopped(self) -> str:
        """Why the search was stopped, or empty."""
        return STOPPED[self.workspace.counted.read("stop")]

    @property
    def sees_the_end(self) -> bool:
        """Whether the search was not stopped and used no evaluation since `begin`."""
        return not self.stopped and self.workspace.counted.read("truncated") == self.truncated_before

    @property
    def nodes_left(self) -> float:
        """About how many more nodes the limits allow; a limit on time, at the rate so far."""
        nodes, limits = self.workspace.counted.read("nodes"), self.limits
        left = math.inf if limits.nodes is None else float(limits.nodes - nodes)
        seconds = self.seconds
        return left if limits.time is None else min(left, nodes * (limits.time - seconds) / seconds)

    @property
    def seconds(self) -> float:
        """The seconds since the search began, without those of compiling."""
        return time.perf_counter() - self.started

    @property
    def variation(self) -> tuple[int, ...]:
        """The principal variation of the last run."""
        return self.workspace.variation

    @property
    def first_root_move(self) -> int:
        """The move that the last run searched first at the root; told only after it began another."""
        return int(self.workspace.path.fields.moves[0])

    def extended_variation(self, state: Any, variation: tuple[int, ...], value: float, depth: int) -> tuple[int, ...]:
        """A principal variation that a table hit cut short, continued with moves from the table.

        A move of the table is added only where the table proves that it keeps the value.
        """
        if self.held_table is None or not variation or self.stopped:
            return variation
        table, game, moves, path = self.held_table.view(False), self.game, list(variation), [state]
        for move in variation:
            path.append(game.result(path[-1], move))
        options = self.workspace.asked.fields
        recurs = game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN)
        while len(moves) < VARIATION_PLIES and not game.terminal(state := path[-1]) and game.player(state) != CHANCE:
            if recurs and game.progress(path[-2]) == game.progress(state):
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
        counts = dict(zip(Counts.FIELDS, self.workspace.counted.whole_numbers(), strict=True))
        return Statistics(
            nodes=counts["nodes"],
            leaves=counts["leaves"],
            cutoffs=counts["cutoffs"],
            table_hits=counts["table_hits"],
            depth=self.depth or counts["deepest"],
            seconds=self.seconds,
            speed=self.speed,
        )

    # Running a kernel. ---------------------------------------------------------------------------
    def execute(self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Any:
        """Run a kernel and return its value, which counts only if the search is not `stopped` afterwards.

        `arguments` makes the kernel's arguments, which depend on the speed that is used.
        """
        if self.monitor is None and self.limits.time is None:
            return self.execute_here(kernel, arguments)
        return self.execute_in_thread(kernel, arguments)

    def execute_here(self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Any:
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
                self.interpret()
                self.apply_settings()
        with recursion_limit(5 * MAX_PLY):
            return self.checked(kernel(*arguments()))

    def checked(self, value: Any) -> Any:
        """The value that a kernel returned; raises GamesearchError if it met rules that yield moves without end."""
        if self.workspace.counted.read("stop") == ENDLESS_MOVES:
            raise endless_moves(self.game)
        return value

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel that calls no method of the game, at the runner's speed."""
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

    def execute_in_thread(self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]]) -> Any:
        """Run a kernel in a thread of its own; this thread watches the clock, the monitor and Ctrl-C."""
        outcome: list[Any] = [None, None]
        done = threading.Event()  # a join that Ctrl-C interrupts may mark a running thread as ended

        def work() -> None:
            try:
                outcome[0] = self.execute_here(kernel, arguments)
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
                progress.nodes, progress.depth = self.workspace.counted.read("nodes"), self.depth
                progress.seconds = self.seconds
                if monitor.poll(progress):
                    self.stop(INTERRUPTED)
        except KeyboardInterrupt:
            self.stop(INTERRUPTED)
            if monitor is None or monitor.interrupted:
                raise
            monitor.interrupted = True

    @contextlib.contextmanager
    def at_most(self, nodes: int) -> Iterator[None]:
        """Search at most so many more nodes; where that or the space was too little, the search goes on afterwards."""
        limits, most = self.limits, self.workspace.counted.read("nodes") + nodes
        is_tighter = limits.nodes is None or most < limits.nodes
        if is_tighter:
            self.limits = replace(limits, nodes=most)
        try:
            yield
        finally:
            self.limits = limits
        is_interrupted = self.monitor is not None and self.monitor.interrupted
        if not is_interrupted and (self.stopped == "space" or (is_tighter and self.stopped == "nodes")):
            self.workspace.counted.write(stop=RUNNING, deepest=0)

    def stop(self, reason: int) -> None:
        """Make the kernel return as soon as it reads `stop`."""
        if not self.workspace.counted.read("stop"):
            self.workspace.counted.write(stop=reason)


@contextlib.contextmanager
def recursion_limit(frames: int) -> Any:
    """Raise Python's recursion limit to some frames."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, frames))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
