"""How much sooner two workers have a database, by processor time: that of one, against the longest that two take.

On a machine with other work, the clock tells what the others do. So what counts is the processor time that nothing can
shorten: of each stage that threads share, that of the thread that takes longest, and all that one thread does between.
What threads cost each other, by memory that they wait for, is in it; waiting for the disk is not.

`python -m benchmarks.database_workers checkers 5 2` for others than SMALL: game, layers, and layers to compile with.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

from gamesearch.registry import load
from gamesearch.solvers.databases.building import build
from gamesearch.solvers.databases.workers import Pieces

__all__ = ["main"]

SMALL = (("checkers", "4", "2"), ("chess", "KBNK", "KRK"), ("morris", "4-4", "3-3"))
TURNS = 3


class Watch:
    """Measures the threads of all that is built: `longest` is the time of those that take longest in each stage."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.together = Pieces.together

    def __enter__(self) -> "Watch":
        watch = self

        def together(self: Pieces, stage: str, size: int, jobs: Sequence[Iterator[int]]) -> None:
            used = [0.0] * len(jobs)
            watch.together(self, stage, size, [watched(place, job, used) for place, job in enumerate(jobs)])
            watch.longest += max(used)

        Pieces.together = together  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        Pieces.together = self.together  # type: ignore[method-assign]


def watched(place: int, job: Iterator[int], used: list[float]) -> Iterator[int]:
    """A job that adds the processor time of its thread to what it has used."""
    begun = time.thread_time()
    for count in job:
        used[place] += time.thread_time() - begun
        yield count
        begun = time.thread_time()
    used[place] += time.thread_time() - begun


def processor_time(game: Any, layers: str, workers: int) -> float:
    """The seconds of processor time that a database takes at least, however idle the machine is."""
    with tempfile.TemporaryDirectory() as folder, Watch() as watch:
        begun, in_this_thread = time.process_time(), time.thread_time()
        for _ in build(game, layers, folder, speed="compiled", workers=workers):
            pass
        if workers == 1:
            return time.process_time() - begun
        return time.thread_time() - in_this_thread + watch.longest


def main() -> None:
    """Print the figures of one database, or of SMALL."""
    for specification, layers, first in (tuple(sys.argv[1:4]),) if len(sys.argv) == 4 else SMALL:
        game = load(specification)
        for workers in (1, 2):
            processor_time(game, first, workers)  # so that all is compiled
        found: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(TURNS if len(sys.argv) < 4 else 1):
            for workers, seconds in found.items():
                seconds.append(processor_time(game, layers, workers))
        one, two = (min(seconds) for seconds in found.values())
        print(f"{specification} {layers}: one worker {one:.2f} s, two {two:.2f} s, {one / two:.2f} times", flush=True)


if __name__ == "__main__":
    main()
