"""Threads that run kernels on blocks of positions of one layer. The threads report progress, and stop at Ctrl-C.

Compiled kernels run without the interpreter's lock, so several threads run at the same time. Interpreted kernels run in
a single thread.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from gamesearch.algorithms.engine.runner import Runner

__all__ = ["Listener", "Workers"]

INTERVAL = 0.1  # the seconds between two reports of progress


Listener = Callable[[str, int, int], None]
"""A callback for progress. Its arguments are the stage, the number of finished positions, and the number of all
positions (0 if it is unknown). The callback may raise an exception."""


class Workers:
    """Threads that run the kernels of one game. The runner decides whether the kernels are interpreted or compiled."""

    def __init__(self, runner: Runner, workers: int, listen: Listener) -> None:
        self.runner, self.listen, self.threads = runner, listen, workers
        self.pool: ThreadPoolExecutor | None = None
        self.preparing = threading.Lock()

    @property
    def count(self) -> int:
        """The number of threads."""
        return self.threads if self.runner.speed == "compiled" else 1

    def prepare(self, kernel: Callable[..., Any], *arguments: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Prepare a kernel and its arguments for a call, compiled or interpreted. If an argument is a function, it is
        called with the flag `is_compiled`, and its result is passed to the kernel."""

        def make_arguments() -> tuple[Any, ...]:
            is_compiled = self.runner.speed == "compiled"
            return tuple(each(is_compiled) if callable(each) else each for each in arguments)

        with self.preparing:  # if two threads prepared at the same time, the compilation time would be subtracted twice
            return self.runner.prepare(kernel, make_arguments)

    def call(self, kernel: Callable[..., Any], *arguments: Any) -> Any:
        """Call a kernel in this thread."""
        code, given = self.prepare(kernel, *arguments)
        return code(*given)

    def run_blocks(
        self, stage: str, size: int, block: int, kernel: Callable[..., Any], layer: int, *rest: Any
    ) -> list[int]:
        """Divide the position numbers 0 to `size` - 1 into blocks, and call a kernel for each block. Returns the
        results of the calls."""
        code, given = self.prepare(kernel, self.runner.game, layer, 0, 0, *rest)
        found: list[int] = [0] * -(-size // block)

        def share(place: int) -> Iterator[int]:
            for number in range(place, len(found), self.count):
                start = number * block
                end = min(start + block, size)
                found[number] = int(code(*given[:2], start, end, *given[4:]))
                yield end - start

        self.run_jobs(stage, size, [share(place) for place in range(self.count)])
        return found

    def run_jobs(self, stage: str, size: int, jobs: Sequence[Iterator[int]]) -> None:
        """Run each job in a thread. If a job raises an exception, raise it again. A job yields the number of positions
        that it has finished since its previous yield."""
        if len(jobs) == 1:
            done = 0
            for count in jobs[0]:
                done += count
                self.listen(stage, done, size)
            return
        if self.pool is None:
            self.pool = ThreadPoolExecutor(self.threads)
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
