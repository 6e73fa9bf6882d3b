"""Pruned moves: futile moves near the horizon, and all except the most plausible moves.

Futility: if one ply is left and the most that a move can gain does not reach the window, it is pruned (J. Schaeffer
1986, "Experiments in search and knowledge", thesis, Waterloo; E. A. Heinz 1998, "Extended futility pruning", ICCA
Journal 21).

Width: only this number of moves is searched at each node, the most plausible ones by the move ordering: type B of C. E.
Shannon 1950, "Programming a computer for playing chess", Philosophical Magazine 41.
"""

import math
from typing import Any

from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Search
from gamesearch.algorithms.selective.parts import Window, estimated
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["estimate_for_futility", "pruned"]


@kernel
def estimate_for_futility(
    game: Game, s: Any, depth: int, ply: int, threatened: bool, estimate: float, search: Search
) -> float:
    """The estimate for testing whether moves are futile; NaN if none are pruned."""
    is_possible = search.selection.parts.futility and depth == 1 and ply > 0 and not threatened
    if search.groups.selective is not None and is_possible:
        return estimated(game, s, estimate)
    return math.nan


@kernel
def greatest_value_after(game: Game, s: Any, move: int, estimate: float, maximizing: bool, search: Search) -> float:
    """The greatest value that a move can reach, from the most it can gain; infinite if that is unknown."""
    if search.groups.selective is not None and not math.isnan(estimate):
        gain = game.most_gain(s, move)  # type: ignore[attr-defined]
        return estimate_within(game, estimate + gain if maximizing else estimate - gain)
    return math.inf if maximizing else -math.inf


@kernel
def unproven(game: Game, value: float, maximizing: bool) -> float:
    """The value of a node after pruning some moves: it may be won, but it is not proven to be lost."""
    estimate = estimate_within(game, value)
    return max(value, estimate) if maximizing else min(value, estimate)


@kernel
def pruned(
    game: Game,
    s: Any,
    move: int,
    index: int,
    value: float,
    window: Window,
    estimate: float,
    ply: int,
    search: Search,
) -> tuple[bool, float]:
    """Whether the move with this index is pruned, and the value of the node, which is less certain in that case."""
    width, maximizing = search.selection.parts.width, window.maximizing
    reached = greatest_value_after(game, s, move, estimate, maximizing, search)
    is_futile = reached <= window.low if maximizing else reached >= window.high
    if not is_futile and not 0 < width <= index:
        return False, value
    reached = reached if is_futile else value
    search.run.counts.truncated += 1
    if search.run.observer is not None:
        search.run.observer.leaves_out(ply, move, "futile" if is_futile else "width")
    return True, unproven(game, max(value, reached) if maximizing else min(value, reached), maximizing)
