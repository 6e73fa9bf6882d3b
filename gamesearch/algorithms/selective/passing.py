"""The null move: who stands well enough to pass has a move that is at least as good.

D. F. Beal 1989, "Experiments with the null move"; C. Donninger 1993, "Null move and deep search", ICCA Journal 16. The
player passes, and the rest is searched less deep. If the value is still beyond the window, so is that of some move,
as passing is never an advantage: but in zugzwang. Where that is near, the node is searched all the same, less deep
(O. D. Tabibi and N. S. Netanyahu 2002, "Verified null-move pruning", ICGA Journal 25).
"""

from typing import Any

from gamesearch.algorithms.parts.values import estimate_within
from gamesearch.algorithms.selective.selection import PASS, Selection, is_scout
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["VERIFIED", "depth_after_passing"]

LEAST_DEPTH = 3
LESS = 2
"""So many plies less than after a move, and one more for each 6 plies of depth."""
VERIFIED = 2
"""So many plies less deep the moves are searched where zugzwang is near."""
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
    selection: Selection,
) -> int:
    """How deep the position after a null move is searched; -1 where none is tried.

    None is tried at the root, after another, with an open window, under a threat, where the player does not stand
    well enough, and where only a win would do: a null move proves none.
    """
    parts = selection.parts
    if selection.answers is not None and parts.null_move and depth >= LEAST_DEPTH and not threatened and ply > 0:
        if not game.passing_never_helps or selection.trail.moves[ply - 1] == PASS:  # type: ignore[attr-defined]
            return NEVER
        limit = high if maximizing else low
        if not is_scout(low, high, parts.step) or estimate_within(game, limit) != limit:
            return NEVER
        estimate = estimate_within(game, float(game.evaluate(s)))
        if estimate >= high if maximizing else estimate <= low:
            return max(0, depth - 1 - LESS - depth // 6)
    return NEVER
