"""What each part of the selective search is worth: all of them, all but one in turn, and each alone."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.parts.result import Limits, Monitor
from gamesearch.algorithms.parts.searcher import search_with
from gamesearch.algorithms.pvs import PARTS, PrincipalVariationSearch
from gamesearch.game import RECURRENCE_DRAWS, Game

__all__ = ["PartsMeasurement", "measure_parts", "positions_by_lot"]

POSITIONS = 8
PLIES = 12
"""Positions by lot come after up to so many random moves."""


@dataclass(frozen=True)
class PartsMeasurement:
    """What the searches with some of the parts took."""

    label: str
    """Such as `without reductions`."""
    algorithm: PrincipalVariationSearch
    nodes: float
    """The geometric mean over the positions."""
    seconds: float
    """Of all positions together."""
    same_moves: int
    """On how many positions it found the move that the search without parts found."""
    positions: int
    stopped: str
    """Why a search ended before its depth, or empty."""


def positions_by_lot(game: Game[Any]) -> list[Any]:
    """Positions with moves that are reached at random, but always the same; the initial one is the first."""
    found = []
    for seed in range(POSITIONS):
        source, s, past = random.Random(f"parts {seed}"), game.initial(), list[Any]()
        for _ in range(seed and 1 + source.randrange(PLIES)):
            after = game.result(s, source.choice(game.steps(s, past)))
            if game.terminal(after) or not game.steps(after, [*past, s]):
                break
            past.append(s)
            s = after
        found.append(s)
    return found


def versions(game: Game[Any]) -> Iterator[tuple[str, PrincipalVariationSearch]]:
    """The search without parts, with all, without each in turn, and with each alone."""
    usual: dict[str, Any] = {"order": game.suggested_order or "game+killer+history"}
    if game.recurrence == RECURRENCE_DRAWS:
        usual["paths"] = "practical"
    yield "no part", PrincipalVariationSearch(**usual, exact=True)
    yield "all parts", PrincipalVariationSearch(**usual)
    for part in PARTS:
        yield f"without {part}", PrincipalVariationSearch(**{**usual, part: False})
    for part in PARTS:
        yield f"{part} alone", PrincipalVariationSearch(**usual | {other: other == part for other in PARTS})


def measure_parts(
    game: Game[Any],
    states: Sequence[Any],
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> Iterator[PartsMeasurement]:
    """Search all positions with each choice of parts."""
    exact: list[int | None] = []
    for label, algorithm in versions(game):
        algorithm.fits(game)
        logarithms, seconds, best, stopped = 0.0, 0.0, list[int | None](), ""
        for state in states:
            result = search_with(game, state, algorithm, limits, speed=speed, monitor=monitor)
            if monitor is not None and monitor.interrupted:
                return
            logarithms += math.log(result.statistics.nodes)
            seconds += result.statistics.seconds
            best.append(result.best)
            stopped = stopped or result.stopped
        exact = exact or best
        same = sum(ours == theirs for ours, theirs in zip(best, exact, strict=True))
        nodes = math.exp(logarithms / len(states))
        yield PartsMeasurement(label, algorithm, nodes, seconds, same, len(states), stopped)
