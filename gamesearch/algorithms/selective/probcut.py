"""ProbCut: a shallow search predicts that the value to the full depth lies outside the window.

M. Buro 1995, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18. Where estimates
are stable, the value to a depth follows from the value to a smaller one by a straight line, but for an error that is
distributed normally. So a null window, moved by the line and by some standard deviations, tells at the smaller depth
whether the full depth is worth the search. The numbers are measured in each game: `gamesearch bench GAME --probcut`.
"""

from typing import Any

from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Run
from gamesearch.algorithms.selective.parts import (
    NOTHING_YET,
    PREDICTED_DEPTHS,
    STAY,
    Selection,
    estimated,
    is_scout,
)
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = [
    "LEAST_DEPTH",
    "NOTHING",
    "after_predicting",
    "begin_predicting",
    "predicted",
    "shallow_depth",
]

CONFIDENCE = 1.5
"""So many standard deviations a value has to be beyond the window, as in Buro's experiments: it is right in 93 %."""
NOTHING = 0
LEAST_DEPTH = 3
"""Values to smaller depths are not worth a prediction."""


def shallow_depth(depth: int) -> int:
    """The depth that predicts another: about half of it, and as even or odd, for estimates often change by turns."""
    half = depth // 2
    return half - (depth - half) % 2


@kernel
def predicted(
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
) -> tuple[int, bool, float]:
    """To what depth a search may predict the value; whether above the window or below; and what it has to reach.

    The depth is NOTHING at the root, with an open window, under a threat, and where only a win or a loss would do, of
    which a prediction proves none; and where not even the estimate, without any search, reaches what is wanted.
    """
    parts = selection.parts
    if not parts.probcut or ply == 0 or threatened or depth < 0 or depth >= PREDICTED_DEPTHS:
        return NOTHING, False, 0.0
    shallow = parts.shallow[depth]
    if shallow == NOTHING or not is_scout(low, high, parts.step):
        return NOTHING, False, 0.0
    error = CONFIDENCE * parts.deviation[depth]
    # The line is told for the player to move, and values are Max's.
    intercept = parts.intercept[depth] if maximizing else -parts.intercept[depth]
    most, least = (high + error - intercept) / parts.slope[depth], (low - error - intercept) / parts.slope[depth]
    estimate = estimated(game, s, estimate)
    if least < estimate < most:
        return NOTHING, False, 0.0
    is_above = estimate >= most
    wanted, limit = (high, most) if is_above else (low, least)
    if estimate_within(game, wanted) != wanted or estimate_within(game, limit) != limit:
        return NOTHING, False, 0.0
    return shallow, is_above, limit


@kernel
def begin_predicting(ply: int, is_above: bool, limit: float, run: Run, selection: Selection) -> tuple[float, float]:
    """Note on the path that the node itself is searched; returns the window that tells whether the limit is reached."""
    selection.trail.moves[ply] = STAY
    if run.observer is not None:
        run.observer.move(ply, STAY)
        run.observer.purpose(ply, "prediction")
    step = selection.parts.step
    return (limit - step, limit) if is_above else (limit, limit + step)


@kernel
def after_predicting(
    found: float,
    value: float,
    low: float,
    high: float,
    is_above: bool,
    limit: float,
    ply: int,
    run: Run,
    selection: Selection,
) -> tuple[bool, float]:
    """What the value to the smaller depth says: whether the node is done, and its value."""
    selection.trail.moves[ply] = NOTHING_YET
    if run.counts.stop:
        return True, value
    if found < limit if is_above else found > limit:
        return False, value
    value = high if is_above else low
    run.counts.truncated += 1
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.predicts(ply, value, is_above)
    return True, value
