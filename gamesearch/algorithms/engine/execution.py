"""Run kernels in this thread or in another thread: compile kernels, measure time, and stop kernels at limits."""

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload

from gamesearch import compiler
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress
from gamesearch.algorithms.engine.thread_pool import DoneFlag, search_threads
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
from gamesearch.compiler import cache_files
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.files.whole import whole_file
from gamesearch.game import Game
from gamesearch.user_code.checking import endless_moves
from gamesearch.user_code.files import refuse_exits

__all__ = [
    "Arguments", "Context", "Execution", "Kernel", "SpeedProperty", "deep_recursion", "expected_seconds",
    "note_seconds",
]  # fmt: skip

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

Kernel = Callable[..., Any]
Arguments = Callable[[], tuple[Any, ...]]
"""A function that returns the arguments of a kernel. The arguments depend on the speed."""
Context = Callable[[], contextlib.AbstractContextManager[None]]
"""A function that returns a context manager. A compiled kernel runs inside this context."""


class SpeedProperty(Generic[T]):
    """A property that is computed at its first use, and again if the speed of the search changes. The object must have
    the attribute `speed`. The speed changes from `compiled` to `interpreted` if a kernel cannot be compiled."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = f"_{name}_at_speed"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        speed, value = vars(instance).get(self.slot, ("", None))
        if speed != instance.speed:
            value = self.compute(instance)
            vars(instance)[self.slot] = instance.speed, value
        return value

    def __set__(self, instance: Any, value: T) -> None:
        vars(instance)[self.slot] = instance.speed, value


class Execution:
    """Runs kernels for one game. An Execution owns the limits, the clock, and the workspace to which kernels write.

    Call `start` before each search. All kernels of one search share the counts, the clock, and the reason for a stop.
    """

    def __init__(self, game: Game, speed: str = "auto") -> None:
        self.game = game
        self.requested_speed = speed
        self.speed = compiler.speed_for(game, speed)
        """`compiled` or `interpreted`."""
        self.limits = Limits()
        self.monitor: Monitor | None = None
        self.depth = 0
        """The depth of the last finished iteration, for progress displays and statistics."""
        self.started = 0.0
        self.is_preparing = False
        """Whether a kernel is being compiled. Compile time does not count as search time."""
        self.room = SHALLOW
        """Kernels stop at this ply to protect the stack. A search that reaches this ply begins again with a larger
        stack."""
        self.helping: Sequence[Execution] = ()
        """The `Execution` objects of the helper threads that are running now. Their nodes are included in the search's
        node count."""
        self.held_workspace: Workspace | None = None

    @property
    def is_forced(self) -> bool:
        """Whether the user requires compiled code, so that the search must not be interpreted."""
        return self.requested_speed == "compiled"

    @property
    def workspace(self) -> Workspace:
        """The records that kernels read and write."""
        if self.held_workspace is None:
            self.held_workspace = Workspace.acquire(self.speed == "compiled")
        return self.held_workspace

    def start(self, limits: Limits, monitor: Monitor | None = None) -> None:
        """Begin a search: set the limits, reset the counts, and start the clock."""
        self.limits, self.monitor = limits, monitor
        self.depth, self.is_preparing = 0, False
        if self.speed == "compiled":
            compiler.note_changes(self.game)
        self.begin_counts()
        self.started = time.perf_counter()

    def begin_counts(self) -> None:
        """Set all counts to zero, and empty the path."""
        if self.held_workspace is not None:
            self.held_workspace.begin()

    def release(self) -> None:
        """Return the workspace, so that later searches can use it. A released Execution must not be used any more."""
        if self.held_workspace is not None:
            self.held_workspace.release()

    @property
    def seconds(self) -> float:
        """The seconds since the search began, without compilation."""
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> str:
        """The reason why the search was stopped; empty if it was not stopped."""
        return STOPPED[self.workspace.counts_handle.read("stop")]

    @property
    def own_nodes(self) -> int:
        """The number of nodes that the kernels of this execution have visited."""
        return int(self.workspace.counts_handle.read("nodes"))

    @property
    def nodes_so_far(self) -> int:
        """The number of nodes that the search has visited, including the nodes of running helper threads."""
        return self.own_nodes + sum(each.own_nodes for each in self.helping)

    def execute(self, kernel: Kernel, arguments: Arguments, context: Context | None = None) -> Any:
        """Run a kernel and return its value.

        If the search is `stopped`, the value is a bound: the best value of the root moves whose search was finished. If
        no root move was finished, the value has no meaning. If a `context` is given, the kernel runs in another thread.
        So the context manager is exited even after Ctrl-C. A kernel that reaches the ply SHALLOW begins again in a
        thread with a larger stack, and the nodes of its first attempt are also counted. Interpreted kernels also begin
        again, so that they visit the same nodes as compiled kernels.
        """
        value = self.execute_with_room(kernel, arguments, context)
        counted = self.workspace.counts_handle
        if self.room < MAX_PLY and counted.read("stop") == TOO_DEEP:
            self.room = MAX_PLY
            counted.write(stop=RUNNING)
            value = self.execute_with_room(kernel, arguments, context)
        return value

    def execute_with_room(self, kernel: Kernel, arguments: Arguments, context: Context | None) -> Any:
        """Run a kernel. If it must be watched, or if the stack of this thread is too small, it runs in another thread.
        Starting a kernel in another thread takes longer than a short search."""
        is_for_here = self.room < MAX_PLY or self.speed == "interpreted"
        if self.monitor is None and self.limits.time is None and context is None and is_for_here:
            return self.execute_here(kernel, arguments)
        return self.execute_in_thread(kernel, arguments, context)

    def execute_here(self, kernel: Kernel, arguments: Arguments, context: Context | None = None) -> Any:
        """Run a kernel in this thread. If the kernel cannot be compiled, it is interpreted, and `context` is not
        used."""
        code, given = self.prepare(kernel, arguments)
        if self.speed == "interpreted":
            with deep_recursion():
                return self.call_kernel(code, given)
        with contextlib.nullcontext() if context is None else context():
            return self.call_kernel(code, given)

    def prepare(self, kernel: Kernel, arguments: Arguments) -> tuple[Kernel, tuple[Any, ...]]:
        """Return the function to call, and its arguments. The function is the compiled kernel. If the kernel cannot be
        compiled, the function is the interpreted kernel. The time for compiling or loading code does not count as
        search time."""
        if self.speed == "compiled":
            begun = time.perf_counter()
            self.is_preparing = True
            try:
                given = arguments()
                return compiler.prepare(kernel, self.game, given), given
            except compiler.NotCompilable as error:
                self.continue_interpreted(error)
            finally:
                self.leave_out(time.perf_counter() - begun)
                self.is_preparing = False
        return kernel, arguments()

    def continue_interpreted(self, error: compiler.NotCompilable) -> None:
        """Continue the search in interpreted code, and reset all counts to 0. Raises GamesearchError if the user
        requires compiled code."""
        if self.is_forced:
            raise GamesearchError(f"{self.game.name} cannot be compiled: {error}") from error
        self.speed, self.held_workspace = "interpreted", None

    def call_kernel(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Call a kernel and return its value, or None if the kernel raises Stopped. Raises GamesearchError if a
        position of the game has too many moves."""
        try:
            with refuse_exits():
                value = kernel(*arguments)
        except Stopped:
            value = None
        if self.workspace.counts_handle.read("stop") == ENDLESS_MOVES:
            raise endless_moves(self.game)
        return value

    def call(self, kernel: Kernel, *arguments: Any) -> Any:
        """Call a kernel at the speed of the search (compiled or interpreted). The kernel must not use the game's
        methods."""
        code, given = self.prepare(kernel, lambda: arguments)
        return code(*given)

    def leave_out(self, seconds: float) -> None:
        """Subtract seconds from the search time."""
        self.started += seconds

    def execute_in_thread(self, kernel: Kernel, arguments: Arguments, context: Context | None = None) -> Any:
        """Run a kernel in another thread, while this thread watches the clock, the monitor and Ctrl-C. If this method
        raises an exception, the kernel may still run for a moment and write to the workspace."""
        outcome: list[Any] = [None, None]

        def work() -> None:
            try:
                outcome[0] = self.execute_here(kernel, arguments, context)
            except BaseException as error:  # the waiting thread raises the error again
                outcome[1] = error

        with self.announce_compilation() as progress:
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
    def announce_compilation(self) -> Any:
        """Yields a Progress. While a kernel is being compiled, the Progress contains the kernel's name."""
        progress = Progress()

        def note_start(name: str) -> None:
            progress.compiling_expected = expected_seconds(self.game.name, name)
            progress.compiling_since = time.perf_counter()
            progress.compiling = name

        def note_end(seconds: float) -> None:
            note_seconds(self.game.name, progress.compiling, seconds)
            progress.compiling = ""

        is_compiled = self.speed == "compiled"
        with compiler.compilations(note_start, note_end) if is_compiled else contextlib.nullcontext():
            yield progress

    def watch(self, done: DoneFlag, progress: Progress) -> None:
        """Wait a moment. Stop the search if its time is up, if the monitor requests a stop, or after Ctrl-C."""
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
    def limit_nodes(self, nodes: int) -> Iterator[None]:
        """A context manager that stops a kernel after `nodes` more nodes. The search itself can continue afterwards."""
        limits, most = self.limits, self.workspace.counts_handle.read("nodes") + nodes
        is_tighter = limits.nodes is None or most < limits.nodes
        if is_tighter:
            self.limits = replace(limits, nodes=most)
        try:
            yield
        finally:
            self.limits = limits
        is_interrupted = self.monitor is not None and self.monitor.interrupted
        if not is_interrupted and (self.stopped == "space" or (is_tighter and self.stopped == "nodes")):
            self.workspace.counts_handle.write(stop=RUNNING, deepest=0)

    def stop(self, reason: int) -> None:
        """Make the kernel return soon, without a second attempt on a larger stack."""
        before = self.workspace.counts_handle.read("stop")
        if before == RUNNING or (before == TOO_DEEP and self.room < MAX_PLY):
            self.workspace.counts_handle.write(stop=reason)


@contextlib.contextmanager
def deep_recursion() -> Any:
    """A context manager that raises Python's recursion limit, so that interpreted searches can reach MAX_PLY."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 5 * MAX_PLY))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


SHORTEST = 1.0
"""A compile time is recorded only if it is at least this number of seconds. Shorter compilations need no estimate."""


def times_path() -> Path:
    """The file of compile times. The command `gamesearch cache` does not remove it, because it is in another folder."""
    return cache_files.folder().parent / "compile-times.json"


def compile_times() -> dict[str, dict[str, float]]:
    """For each game and each of its kernels, the compile time in seconds. Empty if the file is missing or damaged."""
    with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
        found = json.loads(times_path().read_text())
        return {
            str(game): {str(kernel): float(seconds) for kernel, seconds in kernels.items()}
            for game, kernels in found.items()
        }
    return {}


def note_seconds(game: str, kernel: str, seconds: float) -> None:
    """Record the compile time of a kernel for a game, if the time is at least SHORTEST and compiled code is cached."""
    if seconds < SHORTEST or cache_files.limit() == 0:
        return
    with contextlib.suppress(OSError):
        known = compile_times()
        known.setdefault(game, {})[kernel] = round(seconds, 1)
        times_path().parent.mkdir(parents=True, exist_ok=True)
        with whole_file(times_path()) as file:
            file.write(json.dumps(known, indent=1, sort_keys=True).encode())


def expected_seconds(game: str, kernel: str) -> float | None:
    """The duration of a kernel's last compilation for a game; None if it is unknown."""
    return compile_times().get(game, {}).get(kernel)
