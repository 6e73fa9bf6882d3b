"""Cutoffs of a node before its moves are searched: the null move and ProbCut.

The null move (D. F. Beal 1989, "Experiments with the null move"; C. Donninger 1993, "Null move and deep search", ICCA
Journal 16): the player passes, and the position after the pass is searched to a reduced depth. If even the pass is good
enough for a cutoff, the best move is probably also good enough. The exception is zugzwang, in which every move is worse
than a pass. If zugzwang is likely, as in pawn endgames, no null move is tried. It would not be enough to verify the
null move with a reduced search (O. D. Tabibi and N. S. Netanyahu 2002, "Verified null-move pruning", ICGA Journal 25):
a search with verification does not solve position 70 of R. Fine 1941, "Basic Chess Endings".

ProbCut (M. Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18): if
estimates are stable, the value of a search is a linear function of the value of a shallower search, plus a normally
distributed error. The inverse function gives the limit: the shallow value that predicts a cutoff. For safety, a
multiple of the standard deviation is added to the limit. If a shallow search with a null window shows that the shallow
value reaches the limit, the node is cut off without the full search. `gamesearch bench GAME --probcut` measures the
function for a game.
"""

from typing import Any, NamedTuple

from gamesearch.algorithms.node.ordering import follow
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Run, Search
from gamesearch.algorithms.selective.parts import (
    NOTHING_YET,
    PASS,
    PREDICTED_DEPTHS,
    STAY,
    Node,
    estimate_once,
    is_scout,
)
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = [
    "LEAST_DEPTH", "NOTHING", "after_null_move", "after_prediction", "begin_null_move", "begin_prediction",
    "choose_prediction", "depth_after_null_move", "shallow_depth",
]  # fmt: skip

NULL_MOVE_DEPTH = 3
"""The smallest depth at which a null move is tried."""
LESS = 3
"""The smallest depth reduction of a null move, in plies. The reduction grows by 1 for each 4 plies of depth."""
NEVER = -1


@kernel
def depth_after_null_move(game: Game, s: Any, node: Node, estimate: float, search: Search) -> tuple[int, float]:
    """Decide whether to try a null move. Returns the depth of the search after the null move (-1 if no null move is
    tried), and the static estimate of s (NaN if it was not computed).

    A null move is tried only below the root, and only if the window is a null window. It is not tried if the last move
    was a null move, if the player to move is threatened, if zugzwang is likely, or if the estimate is not good enough
    for a cutoff. It is also not tried if only a win would be enough for a cutoff, because a null move cannot prove a
    win.
    """
    parts, low, high, maximizing = search.selection.parts, node.low, node.high, node.maximizing
    is_possible = parts.null_move and node.depth >= NULL_MOVE_DEPTH and not node.threatened and node.ply > 0
    if search.groups.selective is not None and is_possible:
        if search.selection.trail.moves[node.ply - 1] == PASS or game.is_zugzwang_near(s):  # type: ignore[attr-defined]
            return NEVER, estimate
        limit = high if maximizing else low
        if not is_scout(low, high, parts.step) or estimate_within(game, limit) != limit:
            return NEVER, estimate
        estimate = estimate_once(game, s, estimate)
        if estimate >= high if maximizing else estimate <= low:
            return max(0, node.depth - 1 - LESS - node.depth // 4), estimate
    return NEVER, estimate


@kernel
def begin_null_move(node: Node, search: Search) -> tuple[float, float]:
    """Record a null move on the path. Returns a null window. A search with this window tests whether the null move is
    good enough for a cutoff."""
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
    """Return whether a null move cuts off the node, and return the node's value. `passed` is the value after the null
    move."""
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


CONFIDENCE = 1.5
"""A prediction is used only if it lies outside the window by at least this number of standard deviations. A prediction
at this distance is right with a probability of 93 % (Buro)."""
LEAST_DEPTH = 3
"""The smallest depth whose value is predicted."""
NOTHING = 0


def shallow_depth(depth: int) -> int:
    """The depth of the shallow search that predicts the value of the search to `depth`. It is about half of `depth`.
    The two depths are both odd or both even, because odd depths often give greater or smaller estimates than even
    depths."""
    half = depth // 2
    return half - (depth - half) % 2


class Attempt(NamedTuple):
    """A shallow search that may predict the value of a node."""

    depth: int
    """The depth of the shallow search; NOTHING if no search is tried."""
    is_above: bool
    """True if the search tests for a value above the window; False if it tests for a value below the window."""
    limit: float
    """The value that the shallow search must reach to predict a cutoff."""


@kernel
def choose_prediction(game: Game, s: Any, node: Node, estimate: float, search: Search) -> Attempt:
    """Choose the shallow search to try, if any.

    A search is tried under four conditions: the node is not the root, the window is a null window, the player is not
    under a threat, and the static estimate reaches the limit. No search is tried if only the value of a win or a loss
    would cause a cutoff, because a prediction cannot prove such a value.
    """
    parts, depth, nothing = search.selection.parts, node.depth, Attempt(NOTHING, False, 0.0)
    if not parts.probcut or node.ply == 0 or node.threatened or depth < 0 or depth >= PREDICTED_DEPTHS:
        return nothing
    shallow = parts.shallow[depth]
    if shallow == NOTHING or not is_scout(node.low, node.high, parts.step):
        return nothing
    error = CONFIDENCE * parts.deviation[depth]
    # The linear function predicts values for the player to move, but values here are for Max.
    intercept, slope = parts.intercept[depth] if node.maximizing else -parts.intercept[depth], parts.slope[depth]
    most, least = (node.high + error - intercept) / slope, (node.low - error - intercept) / slope
    estimate = estimate_once(game, s, estimate)
    if least < estimate < most:
        return nothing
    is_above = estimate >= most
    wanted, limit = (node.high, most) if is_above else (node.low, least)
    if estimate_within(game, wanted) != wanted or estimate_within(game, limit) != limit:
        return nothing
    return Attempt(shallow, is_above, limit)


@kernel
def begin_prediction(node: Node, attempt: Attempt, search: Search) -> tuple[float, float]:
    """Begin a shallow search of the node's position: record it on the path, and return its null window. This search
    shows whether the value lies above or below the limit."""
    search.selection.trail.moves[node.ply] = STAY
    if search.run.observer is not None:
        search.run.observer.move(node.ply, STAY)
        search.run.observer.purpose(node.ply, "prediction")
    step = search.selection.parts.step
    return (attempt.limit - step, attempt.limit) if attempt.is_above else (attempt.limit, attempt.limit + step)


@kernel
def after_prediction(found: float, value: float, node: Node, attempt: Attempt, search: Search) -> tuple[bool, float]:
    """Return whether a shallow search cuts off the node, and return the node's value. `found` is the value of the
    shallow search."""
    run = search.run
    search.selection.trail.moves[node.ply] = NOTHING_YET
    if run.counts.stop:
        return True, value
    if found < attempt.limit if attempt.is_above else found > attempt.limit:
        return False, value
    value = node.high if attempt.is_above else node.low
    run.counts.truncated += 1
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.predicts(node.ply, value, attempt.is_above)
    return True, value
