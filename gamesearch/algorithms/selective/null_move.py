"""The null move: who stands well enough to pass has a move that is at least as good.

D. F. Beal 1989, "Experiments with the null move"; C. Donninger 1993, "Null move and deep search", ICCA Journal 16. The
player passes, and the rest is searched less deep. If the value is still beyond the window, so is that of some move,
because passing is never an advantage, except in zugzwang. If zugzwang is near, as in pawn endings, no null move is
tried. To verify it by a reduced search (O. D. Tabibi and N. S. Netanyahu 2002, "Verified null-move pruning", ICGA
Journal 25) is not enough there: the position 70 of R. Fine 1941, "Basic Chess Endings", was not solved with it.
"""

from typing import Any

from gamesearch.algorithms.node.ordering import follow
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Memory, Run
from gamesearch.algorithms.selective.parts import PASS, Selection, estimated, is_scout
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["after_passing", "begin_passing", "depth_after_passing"]

LEAST_DEPTH = 3
LESS = 2
"""So many plies less than after a move, and one more for each 6 plies of depth."""
NEVER = -1


@kernel
def depth_after_passing(
    game: Game[Any],
    s: Any,
    low: float,
    high: float,
    depth: int,
    ply: int,
    threatened: bool,
    maximizing: bool,
    estimate: float,
    selection: Selection,
) -> tuple[int, float]:
    """How deep the position after a null move is searched, -1 if none is tried; and the estimate, if it was made.

    No null move is tried at the root, after another null move, with an open window, under a threat, near zugzwang, if
    the estimate is too low for the player, or if only a win could cut off the node: a null move cannot prove a win.
    """
    parts = selection.parts
    if selection.answers is not None and parts.null_move and depth >= LEAST_DEPTH and not threatened and ply > 0:
        if selection.trail.moves[ply - 1] == PASS or game.is_zugzwang_near(s):  # type: ignore[attr-defined]
            return NEVER, estimate
        limit = high if maximizing else low
        if not is_scout(low, high, parts.step) or estimate_within(game, limit) != limit:
            return NEVER, estimate
        estimate = estimated(game, s, estimate)
        if estimate >= high if maximizing else estimate <= low:
            return max(0, depth - 1 - LESS - depth // 6), estimate
    return NEVER, estimate


@kernel
def begin_passing(
    ply: int, low: float, high: float, maximizing: bool, memory: Memory, run: Run, selection: Selection
) -> tuple[float, float]:
    """Note a null move on the path; returns the window that tells whether it is good enough."""
    selection.trail.moves[ply] = PASS
    if memory.ordering is not None:
        follow(ply, PASS, memory.ordering)
    if run.observer is not None:
        run.observer.move(ply, PASS)
        run.observer.purpose(ply, "null move")
    step = selection.parts.step
    return (high - step, high) if maximizing else (low, low + step)


@kernel
def after_passing(
    game: Game[Any], passed: float, value: float, low: float, high: float, ply: int, maximizing: bool, run: Run
) -> tuple[bool, float]:
    """Whether a null move is good enough to end the search of the node, and the node's value."""
    if run.counts.stop:
        return True, value
    if passed < high if maximizing else passed > low:
        return False, value
    value = estimate_within(game, passed)
    run.counts.truncated += 1
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.passes(ply, value)
    return True, value
