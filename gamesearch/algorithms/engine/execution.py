"""Runs kernels, here or in a thread that is watched: the clock, Ctrl-C, what is compiled meanwhile."""

import contextlib
import functools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from gamesearch import compiler
from gamesearch.algorithms.engine.compile_times import expected_seconds, note_seconds
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress
from gamesearch.algorithms.engine.thread_pool import Done, search_threads
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    INTERRUPTED,
    MAX_PLY,
    NODE_LIMIT,
    OUT_OF_SPACE,
    RUNNING,
    SHALLOW,
    TIME_LIMIT,
    TOO_DEEP,
    TREE_FULL,
    Stopped,
    Workspace,
)
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.user_code.checking import endless_moves

__all__ = ["AtSpeed", "Beside", "Execution", "recursion_limit"]

T = TypeVar("T")

STOPPED = {
    RUNNING: "",
    NODE_LIMIT: "nodes",
    TIME_LIMIT: "time",
    INTERRUPTED: "interrupted",
    OUT_OF_SPACE: "space",
    TOO_DEEP: "space",
    TREE_FULL: "memory",
}

Beside = Callable[[], contextlib.AbstractContextManager[None]]
"""What goes on beside a compiled kernel."""


class AtSpeed(functools.cached_property[T]):
    """What a runner makes in the form of its speed when it is first asked for; anew where it goes on interpreted."""


class Execution:
    """The half of a Runner that runs kernels; the other half says what they are given."""

    game: Game[Any]
    speed: str
    is_forced: bool
    """Whether machine code was asked for, and nothing else will do."""
    limits: Limits
    monitor: Monitor | None
    depth: int
    started: float
    is_preparing: bool
    """Whether a kernel is being compiled, which is no time of the search."""
    room: int = SHALLOW
    """The ply at which a kernel stops, as there is no room for more; once one did, there is more for all later ones."""

    @AtSpeed
    def workspace(self) -> Workspace:
        """The records that a kernel of the present speed is asked by, and writes."""
        return Workspace.taken(self.speed == "compiled")

    def apply_settings(self) -> None:
        """Write the options of the run into the workspace."""
        raise NotImplementedError

    def interpret(self) -> None:
        """Go on interpreted, with all counts at zero."""
        self.speed = "interpreted"
        for name in list(vars(self)):
            if isinstance(getattr(type(self), name, None), AtSpeed):
                delattr(self, name)

    @property
    def seconds(self) -> float:
        """The seconds since the search began, without those of compiling."""
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> str:
        """Why the search was stopped, or empty."""
        return STOPPED[self.workspace.counted.read("stop")]

    @property
    def nodes_so_far(self) -> int:
        """How many nodes the search has visited."""
        return int(self.workspace.counted.read("nodes"))

    def execute(
        self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]], beside: Beside | None = None
    ) -> Any:
        """Run a kernel and return its value, which counts only if the search is not `stopped` afterwards.

        `arguments` makes the kernel's arguments, which depend on the speed that is used. What goes on `beside` it has
        to end in order, which Ctrl-C would prevent in the thread that the user started. A kernel that goes deeper than
        SHALLOW begins again in a thread with a greater stack, at either speed and in whatever thread it was, so that
        the nodes are the same. Those of the first attempt count, too.
        """
        value = self.execute_with_room(kernel, arguments, beside)
        counted = self.workspace.counted
        if self.room < MAX_PLY and counted.read("stop") == TOO_DEEP:
            self.room = MAX_PLY
            counted.write(stop=RUNNING)
            value = self.execute_with_room(kernel, arguments, beside)
        return value

    def execute_with_room(
        self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]], beside: Beside | None
    ) -> Any:
        """Run a kernel in the present thread, if nobody watches and its stack has room for the plies; else in another.

        A thread for each search would take longer than a short search.
        """
        is_for_here = self.room < MAX_PLY or self.speed == "interpreted"
        if self.monitor is None and self.limits.time is None and beside is None and is_for_here:
            return self.execute_here(kernel, arguments)
        return self.execute_in_thread(kernel, arguments, beside)

    def execute_here(
        self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]], beside: Beside | None = None
    ) -> Any:
        """Run a kernel in the present thread; interpreted, with nothing beside it, if it cannot be compiled."""
        self.apply_settings()
        if self.speed == "compiled":
            begun = time.perf_counter()
            try:
                given = arguments()
                self.is_preparing = True
                code = compiler.prepared(kernel, self.game, given)
                self.prepared_since(begun)
                with contextlib.nullcontext() if beside is None else beside():
                    return self.called(code, given)
            except compiler.NotCompilable as error:
                self.prepared_since(begun)
                self.go_on_interpreted(error)
                self.apply_settings()
        with recursion_limit(5 * MAX_PLY):
            return self.called(kernel, arguments())

    def go_on_interpreted(self, error: compiler.NotCompilable) -> None:
        """Run interpreted from now on; raises GamesearchError where compiled code was asked for."""
        if self.is_forced:
            raise GamesearchError(f"{self.game.name} cannot be compiled: {error}") from error
        self.interpret()

    def called(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """The value that a kernel returns; None if it raises Stopped.

        Raises GamesearchError if the rules yield moves without end.
        """
        try:
            value = kernel(*arguments)
        except Stopped:
            value = None
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

    def execute_in_thread(
        self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]], beside: Beside | None = None
    ) -> Any:
        """Run a kernel in another thread; this thread watches the clock, the monitor and Ctrl-C.

        Where it raises, nobody waits for the kernel any more, which may still write to the memory for a moment.
        """
        outcome: list[Any] = [None, None]

        def work() -> None:
            try:
                outcome[0] = self.execute_here(kernel, arguments, beside)
            except BaseException as error:  # raised again in the thread that waits
                outcome[1] = error

        with self.announcing() as progress:
            try:
                done = search_threads.run(work)
                while not done.is_set:
                    self.watch(done, progress)
            except BaseException:
                self.stop(INTERRUPTED)
                raise
        if outcome[1] is not None:
            raise outcome[1]
        return outcome[0]

    @contextlib.contextmanager
    def announcing(self) -> Any:
        """A Progress that names the kernel being compiled while there is one."""
        progress = Progress()

        def started(name: str) -> None:
            progress.compiling_expected = expected_seconds(self.game.name, name)
            progress.compiling_since = time.perf_counter()
            progress.compiling = name

        def ended(seconds: float) -> None:
            note_seconds(self.game.name, progress.compiling, seconds)
            progress.compiling = ""

        is_compiled = self.speed == "compiled"
        with compiler.compilations(started, ended) if is_compiled else contextlib.nullcontext():
            yield progress

    def watch(self, done: Done, progress: Progress) -> None:
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
                progress.nodes, progress.depth = self.nodes_so_far, self.depth
                progress.seconds = self.seconds
                if monitor.poll(progress):
                    self.stop(INTERRUPTED)
                if progress.compiling and monitor.interrupted and monitor.leaves_compiling and not progress.nodes:
                    raise Interrupted(f"interrupted while {progress.compiling} was being compiled")
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
        """Make the kernel return as soon as it reads `stop`, and not begin again where it has stopped for more room."""
        before = self.workspace.counted.read("stop")
        if before == RUNNING or (before == TOO_DEEP and self.room < MAX_PLY):
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
