"""ProbCut: a shallow search predicts that the value to the full depth lies outside the window.

M. Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18. If estimates are
stable, the value to a depth is a linear function of the value to a smaller depth, plus a normally distributed error.
The linear function, and some standard deviations for safety, give a limit: if the value of the shallow search reaches
the limit, the full search is not necessary. So the shallow search has a null window, which tests whether the limit is
reached. `gamesearch bench GAME --probcut` measures the function for a game.
"""

from typing import Any, NamedTuple

from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Search
from gamesearch.algorithms.selective.parts import (
    NOTHING_YET,
    PREDICTED_DEPTHS,
    STAY,
    Node,
    estimate_once,
    is_scout,
)
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = [
    "LEAST_DEPTH",
    "NOTHING",
    "after_prediction",
    "begin_prediction",
    "choose_prediction",
    "shallow_depth",
]

CONFIDENCE = 1.5
"""The predicted value must lie outside the window by at least this number of standard deviations. If this number is
1.5, as in Buro's paper, 93 % of the predictions are right."""
NOTHING = 0
LEAST_DEPTH = 3
"""Only the values of searches to at least this depth are predicted."""


def shallow_depth(depth: int) -> int:
    """The depth of the search that predicts the value to `depth`: about half of `depth`, and odd or even like `depth`.

    Estimates often alternate between odd and even depths, so the two depths must both be odd or both be even.
    """
    half = depth // 2
    return half - (depth - half) % 2


class Attempt(NamedTuple):
    """A shallow search that may predict the value of a node."""

    depth: int
    """The depth of the shallow search; NOTHING if no search is tried."""
    is_above: bool
    """Whether the search tests for a value above the window, and not for a value below the window."""
    limit: float
    """The bound that the shallow value must reach."""


@kernel
def choose_prediction(game: Game, s: Any, node: Node, estimate: float, search: Search) -> Attempt:
    """Choose the shallow search to try, if any.

    A search is tried only in a null window below the root, if the player is not under a threat, and if the static
    estimate reaches the limit. A shallow search is also not tried if only a win or a loss would be enough for a cutoff,
    because a prediction proves neither.
    """
    parts, depth, nothing = search.selection.parts, node.depth, Attempt(NOTHING, False, 0.0)
    if not parts.probcut or node.ply == 0 or node.threatened or depth < 0 or depth >= PREDICTED_DEPTHS:
        return nothing
    shallow = parts.shallow[depth]
    if shallow == NOTHING or not is_scout(node.low, node.high, parts.step):
        return nothing
    error = CONFIDENCE * parts.deviation[depth]
    # The linear function is for the player to move, but values are for Max.
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
    """Record on the path that the same position is searched again. Returns the null window that tests whether the value
    reaches the limit."""
    search.selection.trail.moves[node.ply] = STAY
    if search.run.observer is not None:
        search.run.observer.move(node.ply, STAY)
        search.run.observer.purpose(node.ply, "prediction")
    step = search.selection.parts.step
    return (attempt.limit - step, attempt.limit) if attempt.is_above else (attempt.limit, attempt.limit + step)


@kernel
def after_prediction(found: float, value: float, node: Node, attempt: Attempt, search: Search) -> tuple[bool, float]:
    """Return whether the value `found` by the shallow search cuts off the node, and the node's value."""
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
