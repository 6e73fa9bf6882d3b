"""The files of `algorithms/students.txt`: small algorithms as students write them. Fast comparisons of such files."""

import functools
import re
from pathlib import Path
from typing import Any

import pytest

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.algorithms.own.algorithm import OwnAlgorithm
from gamesearch.study import marking
from gamesearch.study.differences import Event, Listener
from gamesearch.study.exercises import Exercise, exercises

__all__ = ["FILES", "remember_references"]


def student_files() -> dict[str, str]:
    """Return the source of each file by its name, such as `right/minimax`."""
    whole, *changes = re.split(
        r"^--- ", (Path(__file__).parent / "algorithms" / "students.txt").read_text(), flags=re.M
    )
    named = re.split(r"^=== (\S+)\n", whole, flags=re.M)[1:]
    sources = dict(zip(named[::2], named[1::2], strict=True))
    for part in changes:
        header, *hunks = re.split(r"^@@ -(\d+)(?:,(\d+))? .* @@\n", part, flags=re.M)
        base, name = re.findall(r"(\S+\.py)\b", header)
        lines = sources[base].splitlines()
        for first, count, hunk in reversed(list(zip(hunks[::3], hunks[1::3], hunks[2::3], strict=True))):
            removed = int(count or 1)
            start = int(first) - (removed > 0)
            lines[start : start + removed] = [line[1:] for line in hunk.splitlines() if line.startswith("+")]
        sources[name] = "\n".join(lines) + "\n"
    return {name.removesuffix(".py"): source for name, source in sorted(sources.items())}


FILES = student_files()


known: dict[Any, tuple[SearchResult, list[Event]]] = {}
"""The results of built-in algorithms, and the events that they reported."""
exercises_by_arguments = functools.cache(lambda *arguments: list(exercises(*arguments)))


def run_once(algorithm: Algorithm, exercise: Exercise, limits: Limits, observer: Listener | None) -> SearchResult:
    """Run an algorithm as `marking.run` does. The result of a built-in algorithm is remembered."""
    if isinstance(algorithm, OwnAlgorithm):
        return run(algorithm, exercise, limits, observer)
    key = (algorithm.specification, repr(exercise.game), exercise.state, limits)
    if key not in known:
        listener = Listener()
        known[key] = run(algorithm, exercise, limits, listener), listener.events
    result, events = known[key]
    if observer is not None:
        observer.events = list(events)
    return result


run = marking.run


def remember_references(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all comparisons of a process share the exercises, and the searches of built-in algorithms."""
    monkeypatch.setattr(marking, "run", run_once)
    monkeypatch.setattr(marking, "exercises", exercises_by_arguments)
