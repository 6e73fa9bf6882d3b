"""Recorded searches, for the tests of their traces."""

from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.trace.recorder import EventForwarder, Recorder, TreeRecorder
from gamesearch.trace.recording import Recording

__all__ = [
    "TWO_PLY",
    "near_the_root",
    "proof_near_the_root",
    "proved",
    "recorded",
    "recorded_twice",
    "searched",
    "written",
]

TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
"""The tree of Russell and Norvig's figure 5.2."""


def recorded_twice(
    game: str,
    algorithm: str,
    position: str = "",
    most: int = 10_000,
    plies: int = 3,
    width: int = 6,
    **limits: Any,
) -> tuple[Recording, Recording, SearchResult]:
    """Record one search twice: return the tree near its root, the whole recording, and the result."""
    rules, state = load(game).setup(position)
    chosen = load_algorithm(algorithm)
    tree, whole = TreeRecorder(rules, state, chosen, plies, width), Recorder(rules, state, chosen, most)
    result = search(rules, state, chosen, limits=Limits(**limits), observer=EventForwarder(tree, whole))
    return tree.finish(result), whole.finish(result), result


def near_the_root(game: str, algorithm: str, position: str = "", **options: Any) -> Recording:
    """Record the tree of a search near its root."""
    return recorded_twice(game, algorithm, position, **options)[0]


def searched(
    game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any
) -> tuple[Recording, SearchResult]:
    """Record a search; return the recording and the result."""
    rules, state = load(game).setup(position)
    chosen = load_algorithm(algorithm)
    recorder = Recorder(rules, state, chosen, most)
    result = search(rules, state, chosen, limits=Limits(**limits), observer=recorder)
    return recorder.finish(result), result


def recorded(game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any) -> Recording:
    """Record a search."""
    return searched(game, algorithm, position, most, **limits)[0]


def written(game: str, algorithm: str, position: str = "", most: int = 10_000, **limits: Any) -> str:
    """Record a search and return the text of the recording."""
    return recorded(game, algorithm, position, most, **limits).text


def proved(
    game: str, method: str, position: str = "", most: int = 10_000, nodes: int | None = None
) -> tuple[Recording, SearchResult]:
    """Record a proof search; return the recording and the result."""
    rules, state = load(game).setup(position)
    asked = proof_to_watch(rules, state, method)
    recorder = Recorder(rules, state, asked, most)
    result = watch_proof(rules, state, asked, recorder, nodes=nodes)
    return recorder.finish(result), result


def proof_near_the_root(game: str, method: str, position: str = "", plies: int = 3, width: int = 6) -> Recording:
    """Record the tree of a proof search near its root."""
    rules, state = load(game).setup(position)
    asked = proof_to_watch(rules, state, method)
    recorder = TreeRecorder(rules, state, asked, plies, width)
    return recorder.finish(watch_proof(rules, state, asked, recorder))
