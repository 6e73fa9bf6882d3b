"""Measure the cost of checkpoints while a hashed database is built, and the time to continue after a kill.

`python -m benchmarks.resumption "hex(size=4)"` prints processor times, which depend little on other programs.
"""

import sys
import tempfile
import time
from pathlib import Path

from gamesearch.registry import load
from gamesearch.solvers.databases.building import build
from gamesearch.solvers.databases.checkpoints import Checkpoints
from gamesearch.solvers.databases.folders import ignore_progress
from gamesearch.solvers.databases.workers import Listener

__all__ = ["main"]


class KilledError(Exception):
    """Raised to simulate the sudden end of a process."""


def build_database(specification: str, folder: str, listen: Listener = ignore_progress) -> float:
    """The processor time of a build from the beginning, or from the last checkpoint."""
    begun = time.process_time()
    for each in build(load(specification), "start", folder, speed="compiled", listen=listen):
        print(f"{each.header.positions:,} positions")
    return time.process_time() - begun


def kill_later(stage: str, done: int, of: int) -> None:  # noqa: ARG001
    """Raise KilledError as soon as all positions are found."""
    if stage == "going backwards":
        raise KilledError


def main() -> None:
    """Print the results for one game."""
    specification = sys.argv[1] if len(sys.argv) > 1 else "hex(size=4)"
    cost, sizes, write = [0.0], list[int](), Checkpoints.write

    def write_and_measure(self: Checkpoints, name: str, *rest: object) -> None:
        begun = time.process_time()
        write(self, name, *rest)  # type: ignore[arg-type]
        cost[0] += time.process_time() - begun
        sizes.append(self.path(name).stat().st_size)

    Checkpoints.write = write_and_measure  # type: ignore[method-assign, assignment]
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as then:
        build_database(specification, first)  # to compile all code
        cost[0], sizes[:] = 0.0, []
        whole = build_database(specification, str(Path(first) / "again"))
        print(
            f"whole: {whole:.1f} s, of which {len(sizes)} checkpoints ({sum(sizes) / 1e6:.0f} MB) took {cost[0]:.2f} s"
        )
        try:
            build_database(specification, then, kill_later)
        except KilledError:
            print(f"killed when all positions were found, then continued: {build_database(specification, then):.1f} s")


if __name__ == "__main__":
    main()
