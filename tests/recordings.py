"""Searches traced and recorded, for the tests of what is seen of them."""

from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.result import Limits, Observer, SearchResult
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.trace.observers import Observers
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording, read_recording
from gamesearch.trace.tree import Trace, trace_for

__all__ = ["TWO_PLY", "recorded", "traced", "traced_and_recorded", "written"]

TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
"""The textbook's tree: Russell and Norvig's figure 5.2."""


def traced(
    game: str,
    algorithm: str,
    position: str = "",
    plies: int = 3,
    width: int = 6,
    others: tuple[Observer, ...] = (),
    **limits: Any,
) -> tuple[Trace, SearchResult]:
    """One search, and the tree that it went through; others may watch it."""
    rules, state = load(game).setup(position)
    chosen = load_algorithm(algorithm)
    trace = trace_for(rules, state, chosen, plies, width)
    observer = Observers(trace, *others) if others else trace
    result = search(rules, state, chosen, limits=Limits(**limits), observer=observer)
    if result.stopped:
        trace.stop()
    return trace, result


def recorder_of(game: str, algorithm: str, position: str, most: int) -> Recorder:
    """What writes down a search."""
    return Recorder(*load(game).setup(position), load_algorithm(algorithm), most)


def traced_and_recorded(
    game: str, algorithm: str, position: str = "", most: int = 10_000, plies: int = 3, width: int = 6, **limits: Any
) -> tuple[Trace, Recording, SearchResult]:
    """One search, watched in both ways."""
    recorder = recorder_of(game, algorithm, position, most)
    trace, result = traced(game, algorithm, position, plies, width, (recorder,), **limits)
    return trace, read_recording(recorder.text(result)), result


def written(game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any) -> str:
    """A search written down."""
    recorder = recorder_of(game, algorithm, position, most)
    _, result = traced(game, algorithm, position, others=(recorder,), **limits)
    return recorder.text(result)


def recorded(game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any) -> Recording:
    """A search written down and read back."""
    return read_recording(written(game, algorithm, position, most, **limits))
