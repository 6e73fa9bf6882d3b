"""What several benchmarks do: take the time, read the problems of others, search them, and play series of games."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from gamesearch.algorithms.engine.result import Statistics
from gamesearch.play.matches.journal import Journal
from gamesearch.play.matches.running import LocalWorkers, MatchRun
from gamesearch.play.matches.series import Series
from gamesearch.study.suites import Problem, read_suite

__all__ = ["best_seconds", "effort", "played", "problems_of", "rate", "timed"]

DATA = Path(__file__).parents[2] / "shared" / "data"
"""Files of problems; they are no part of the program, and may be missing."""
Found = TypeVar("Found")


def timed(run: Callable[[], Found]) -> tuple[Found, float]:
    """What is found, and the seconds that it took."""
    begun = time.perf_counter()
    found = run()
    return found, time.perf_counter() - begun


def best_seconds(run: Callable[[], Any], runs: int = 3) -> float:
    """The least time of several runs: others on the machine only add to it."""
    return min(timed(run)[1] for _ in range(runs))


def rate(count: float, seconds: float) -> str:
    """Millions a second, with one digit behind the point."""
    return f"{count / max(seconds, 1e-9) / 1e6:.1f} M"


def effort(found: Statistics) -> str:
    """The nodes and seconds of a search, and its nodes a second."""
    return f"{found.nodes:,} nodes, {found.seconds:.2f} s, {rate(found.nodes, found.seconds)} nodes/s"


def problems_of(file: str, what: str) -> list[Problem]:
    """The problems in a file; none, with a sentence, where it is missing."""
    if not (DATA / file).is_file():
        print(f"{what} are not here")
        return []
    return read_suite(str(DATA / file))


def played(series: Series, games: int, workers: LocalWorkers) -> MatchRun:
    """A series after so many games, whose journal is not kept."""
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal", series) as journal:
        run = MatchRun(series, journal, games)
        run.play(workers)
        return run
