"""The null move: if a pass is good enough for a cutoff, a legal move is probably also good enough.

D. F. Beal 1989, "Experiments with the null move"; C. Donninger 1993, "Null move and deep search", ICCA Journal 16. The
player passes, and the position after the pass is searched to a reduced depth. If the value after the pass is good
enough for a cutoff, the value after the best move probably is, too: a move is better than a pass, except in zugzwang
(every move is worse than a pass). If zugzwang is near, as in pawn endgames, no null move is tried. Verifying the null
move with a reduced search (O. D. Tabibi and N. S. Netanyahu 2002, "Verified null-move pruning", ICGA Journal 25) is not
enough in such positions: a search with verification does not solve position 70 of R. Fine 1941, "Basic Chess Endings".
"""

from typing import Any

from gamesearch.algorithms.node.ordering import follow
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Run, Search
from gamesearch.algorithms.selective.parts import PASS, Node, estimate_once, is_scout
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["after_null_move", "begin_null_move", "depth_after_null_move"]

LEAST_DEPTH = 3
LESS = 2
"""The smallest depth reduction of a null move, in plies. The reduction grows by 1 for each 6 plies of depth."""
NEVER = -1


@kernel
def depth_after_null_move(game: Game, s: Any, node: Node, estimate: float, search: Search) -> tuple[int, float]:
    """Decide whether to try a null move. Returns the depth of the search after the null move (-1 if no null move is
    tried), and the estimate (NaN if it was not computed).

    A null move is tried only in a null window below the root. It is not tried after another null move, under a threat,
    near zugzwang, or if the estimate is not good enough for a cutoff. It is also not tried if only a win would be
    enough for a cutoff, because a null move cannot prove a win.
    """
    parts, low, high, maximizing = search.selection.parts, node.low, node.high, node.maximizing
    is_possible = parts.null_move and node.depth >= LEAST_DEPTH and not node.threatened and node.ply > 0
    if search.groups.selective is not None and is_possible:
        if search.selection.trail.moves[node.ply - 1] == PASS or game.is_zugzwang_near(s):  # type: ignore[attr-defined]
            return NEVER, estimate
        limit = high if maximizing else low
        if not is_scout(low, high, parts.step) or estimate_within(game, limit) != limit:
            return NEVER, estimate
        estimate = estimate_once(game, s, estimate)
        if estimate >= high if maximizing else estimate <= low:
            return max(0, node.depth - 1 - LESS - node.depth // 6), estimate
    return NEVER, estimate


@kernel
def begin_null_move(node: Node, search: Search) -> tuple[float, float]:
    """Record a null move on the path. Returns the window that tests whether the pass is good enough for a cutoff."""
    search.selection.trail.moves[node.ply] = PASS
    if search.memory.ordering is not None:
        follow(node.ply, PASS, search.memory.ordering)
    if search.run.observer is not None:
        search.run.observer.move(node.ply, PASS)
        search.run.observer.purpose(node.ply, "null move")
    step = search.selection.parts.step
    return (node.high - step, node.high) if node.maximizing else (node.low, node.low + step)


@kernel
def after_null_move(game: Game, passed: float, value: float, node: Node, run: Run) -> tuple[bool, float]:
    """Return whether the value `passed` of the position after a null move cuts off the node, and the node's value."""
    if run.counts.stop:
        return True, value
    if passed < node.high if node.maximizing else passed > node.low:
        return False, value
    value = estimate_within(game, passed)
    run.counts.truncated += 1
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.cut_off_by_null_move(node.ply, value)
    return True, value
