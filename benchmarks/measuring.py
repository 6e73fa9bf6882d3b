"""Shared parts of the benchmarks: timing, reading test problems, searching them, and playing matches."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from gamesearch.algorithms.engine.result import Statistics
from gamesearch.play.matches.running import LocalWorkers, MatchRun
from gamesearch.play.matches.series import Journal, Series
from gamesearch.study.suites import Problem, read_suite

__all__ = ["best_seconds", "effort", "play_series", "problems_of", "rate", "time_call"]

DATA = Path(__file__).parents[2] / "shared" / "data"
"""The folder of files with test problems, which are not part of the program and may be missing."""
Found = TypeVar("Found")


def time_call(run: Callable[[], Found]) -> tuple[Found, float]:
    """The result of a call, and the seconds that it took."""
    begun = time.perf_counter()
    found = run()
    return found, time.perf_counter() - begun


def best_seconds(run: Callable[[], Any], runs: int = 3) -> float:
    """The time of the fastest of several runs. Other programs affect this run least."""
    return min(time_call(run)[1] for _ in range(runs))


def rate(count: float, seconds: float) -> str:
    """Millions per second, with one decimal."""
    return f"{count / max(seconds, 1e-9) / 1e6:.1f} M"


def effort(found: Statistics) -> str:
    """The nodes and seconds of a search, and its nodes per second."""
    return f"{found.nodes:,} nodes, {found.seconds:.2f} s, {rate(found.nodes, found.seconds)} nodes/s"


def problems_of(file: str, what: str) -> list[Problem]:
    """The problems in a file. If the file is missing, print a message and return an empty list."""
    if not (DATA / file).is_file():
        print(f"the file with {what} is missing")
        return []
    return read_suite(str(DATA / file))


def play_series(series: Series, games: int, workers: LocalWorkers) -> MatchRun:
    """The result of a match of a number of games. The journal is deleted."""
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal", series) as journal:
        run = MatchRun(series, journal, games)
        run.play(workers)
        return run
