"""Searches recorded for the tests of what is shown of them."""

from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.result import Limits, SearchResult
from gamesearch.algorithms.trace import Trace, trace_for
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.tracing.observers import Observers
from gamesearch.tracing.recorder import Recorder
from gamesearch.tracing.recording import Recording, read_recording

__all__ = ["TWO_PLY", "recorded", "traced_and_recorded"]

TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"


def traced_and_recorded(
    game: str, algorithm: str, position: str = "", most: int = 10_000, plies: int = 3, width: int = 6, **limits: Any
) -> tuple[Trace, Recording, SearchResult]:
    """One search, watched in both ways."""
    rules, state = load(game).setup(position)
    chosen = load_algorithm(algorithm)
    trace, recorder = trace_for(rules, state, chosen, plies, width), Recorder(rules, state, chosen, most)
    result = search(rules, state, chosen, limits=Limits(**limits), observer=Observers(trace, recorder))
    if result.stopped:
        trace.stop()
    return trace, read_recording(recorder.text(result)), result


def recorded(game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any) -> Recording:
    """A search written down and read back."""
    return traced_and_recorded(game, algorithm, position, most, **limits)[1]
