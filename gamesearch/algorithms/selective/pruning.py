"""Moves that are not searched: hopeless ones next to the horizon, and all but the most plausible.

Futility: where one ply is left and even what a move gains at most does not reach the window, it is left out (J.
Schaeffer 1986, "Experiments in search and knowledge", thesis, Waterloo; E. A. Heinz 1998, "Extended futility pruning",
ICCA Journal 21).

Width: of each node only so many moves are searched, the most plausible by the order of moves: the type B of C. E.
Shannon 1950, "Programming a computer for playing chess", Philosophical Magazine 41.
"""

import math
from typing import Any

from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Run
from gamesearch.algorithms.selective.parts import Selection, estimated
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["estimate_for_futility", "left_out"]


@kernel
def estimate_for_futility(
    game: Game[Any], s: Any, depth: int, ply: int, threatened: bool, estimate: float, selection: Selection
) -> float:
    """The estimate by which moves may be futile; not a number where none are left out."""
    if selection.answers is not None and selection.parts.futility and depth == 1 and ply > 0 and not threatened:
        return estimated(game, s, estimate)
    return math.nan


@kernel
def reached_at_most(
    game: Game[Any], s: Any, move: int, estimate: float, maximizing: bool, selection: Selection
) -> float:
    """What the value may be after a move, by what it gains at most; the best there is where nothing says so."""
    if selection.answers is not None and not math.isnan(estimate):
        gain = game.most_gain(s, move)  # type: ignore[attr-defined]
        return estimate_within(game, estimate + gain if maximizing else estimate - gain)
    return math.inf if maximizing else -math.inf


@kernel
def unproven(game: Game[Any], value: float, maximizing: bool) -> float:
    """The value of a node some of whose moves were left out: it may be won, but is not proven to be lost."""
    estimate = estimate_within(game, value)
    return max(value, estimate) if maximizing else min(value, estimate)


@kernel
def left_out(
    game: Game[Any],
    s: Any,
    move: int,
    index: int,
    value: float,
    low: float,
    high: float,
    estimate: float,
    ply: int,
    maximizing: bool,
    run: Run,
    selection: Selection,
) -> tuple[bool, float]:
    """Whether the move of this index is left out, and the value of the node, which is less certain then."""
    width = selection.parts.width
    reached = reached_at_most(game, s, move, estimate, maximizing, selection)
    is_futile = reached <= low if maximizing else reached >= high
    if not is_futile and not 0 < width <= index:
        return False, value
    reached = reached if is_futile else value
    run.counts.truncated += 1
    if run.observer is not None:
        run.observer.leaves_out(ply, move, "futile" if is_futile else "width")
    return True, unproven(game, max(value, reached) if maximizing else min(value, reached), maximizing)
