"""Kernels run over the numbers of a layer in blocks, by one thread or several, with progress and Ctrl-C.

Threads, and no processes as in a match: machine code runs without the interpreter's lock, and threads share the arrays
of a layer as they are. Interpreted, one thread does all.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from gamesearch import compiler
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError

__all__ = ["Listener", "Pieces"]

INTERVAL = 0.1
"""The seconds after which somebody who watches threads is told how far they are."""


class Listener(Protocol):
    """Whoever wants to know how far the work is."""

    def __call__(self, stage: str, done: int, of: int) -> None:
        """So many numbers of all of a stage are done, or of nobody knows how many: 0; may raise to end the work."""


class Pieces:
    """Runs kernels of one game, at the speed of a runner, by some threads."""

    def __init__(self, runner: Runner, workers: int, listen: Listener) -> None:
        self.runner, self.listen, self.asked = runner, listen, workers
        self.pool: ThreadPoolExecutor | None = None
        self.preparing = threading.Lock()

    @property
    def workers(self) -> int:
        """How many threads there are."""
        return self.asked if self.runner.speed == "compiled" else 1

    def ready(self, kernel: Callable[..., Any], *arguments: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """A kernel in the form of the present speed, and its arguments, of which functions are asked for theirs."""
        game = self.runner.game
        while True:
            is_compiled = self.runner.speed == "compiled"
            given = tuple(each(is_compiled) if callable(each) else each for each in arguments)
            if not is_compiled:
                return kernel, given
            try:
                with self.preparing:  # else two threads that wait for one kernel would both leave out the same seconds
                    begun = time.perf_counter()
                    code = compiler.prepared(kernel, game, given)
                    self.runner.execution.prepared_since(begun)
                return code, given
            except compiler.NotCompilable as error:
                if self.runner.execution.is_forced:
                    raise GamesearchError(f"{game.name} cannot be compiled: {error}") from error
                self.runner.execution.interpret()

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel at once, in this thread."""
        code, given = self.ready(kernel, *arguments)
        return code(*given)

    def over(self, stage: str, size: int, block: int, kernel: Callable[..., Any], layer: int, *rest: Any) -> list[int]:
        """What a kernel of the game returns for each block of the numbers up to a size."""
        code, given = self.ready(kernel, self.runner.game, layer, 0, 0, *rest)
        found: list[int] = [0] * -(-size // block)

        def share(place: int) -> Iterator[int]:
            for number in range(place, len(found), self.workers):
                start = number * block
                end = min(start + block, size)
                found[number] = int(code(*given[:2], start, end, *given[4:]))
                yield end - start

        self.together(stage, size, [share(place) for place in range(self.workers)])
        return found

    def together(self, stage: str, size: int, jobs: Sequence[Iterator[int]]) -> None:
        """Do all jobs, each in a thread, that yield how many numbers they have done since; raises what they raise."""
        if len(jobs) == 1:
            done = 0
            for count in jobs[0]:
                done += count
                self.listen(stage, done, size)
            return
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.asked)
        counts, is_over = [0] * len(jobs), threading.Event()

        def work(place: int) -> None:
            for count in jobs[place]:
                counts[place] += count
                if is_over.is_set():
                    return

        waiting: set[Future[None]] = {self.pool.submit(work, place) for place in range(len(jobs))}
        futures = tuple(waiting)
        try:
            while waiting:
                _, waiting = wait(waiting, INTERVAL)
                self.listen(stage, max(1, sum(counts)), size)
            for each in futures:
                each.result()
        finally:
            is_over.set()
            wait(futures)
