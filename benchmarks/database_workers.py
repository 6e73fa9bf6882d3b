"""Measure how much faster two workers build a database than one worker, by processor time.

On a busy machine, elapsed time depends on other programs. So this benchmark adds up processor times: of the slowest
thread in each parallel stage, and of the main thread between these stages. The sum is the time on a machine with idle
cores. The sum includes waiting for shared memory, but not waiting for the disk.

`python -m benchmarks.database_workers checkers 5 2` measures another database than those in SMALL. The arguments are
the game, its layers, and the layers that are built first to compile the code.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

from gamesearch.registry import load
from gamesearch.solvers.databases.building import build
from gamesearch.solvers.databases.workers import Workers

__all__ = ["main"]

SMALL = (("checkers", "4", "2"), ("chess", "KBNK", "KRK"), ("morris", "4-4", "3-3"))
TURNS = 3


class Watch:
    """Adds up the processor time of threads: `longest` is the sum of the times of the slowest threads of all stages."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.run_jobs = Workers.run_jobs

    def __enter__(self) -> "Watch":
        watch = self

        def run_jobs(self: Workers, stage: str, size: int, jobs: Sequence[Iterator[int]]) -> None:
            used = [0.0] * len(jobs)
            watch.run_jobs(self, stage, size, [watch_job(place, job, used) for place, job in enumerate(jobs)])
            watch.longest += max(used)

        Workers.run_jobs = run_jobs  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        Workers.run_jobs = self.run_jobs  # type: ignore[method-assign]


def watch_job(place: int, job: Iterator[int], used: list[float]) -> Iterator[int]:
    """A job that adds the processor time of its thread to `used`."""
    begun = time.thread_time()
    for count in job:
        used[place] += time.thread_time() - begun
        yield count
        begun = time.thread_time()
    used[place] += time.thread_time() - begun


def processor_time(game: Any, layers: str, workers: int) -> float:
    """The seconds that a database would take on a machine with idle cores, computed from processor times."""
    with tempfile.TemporaryDirectory() as folder, Watch() as watch:
        begun, in_this_thread = time.process_time(), time.thread_time()
        for _ in build(game, layers, folder, speed="compiled", workers=workers):
            pass
        if workers == 1:
            return time.process_time() - begun
        return time.thread_time() - in_this_thread + watch.longest


def main() -> None:
    """Print the results for one database, or for SMALL."""
    for specification, layers, first in (tuple(sys.argv[1:4]),) if len(sys.argv) == 4 else SMALL:
        game = load(specification)
        for workers in (1, 2):
            processor_time(game, first, workers)  # to compile all code
        found: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(TURNS if len(sys.argv) < 4 else 1):
            for workers, seconds in found.items():
                seconds.append(processor_time(game, layers, workers))
        one, two = (min(seconds) for seconds in found.values())
        print(f"{specification} {layers}: one worker {one:.2f} s, two {two:.2f} s, {one / two:.2f} times", flush=True)


if __name__ == "__main__":
    main()
