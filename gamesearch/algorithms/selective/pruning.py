"""Pruning, reductions and extensions: moves that are skipped, or searched to another depth.

Futility: if one ply is left, and a move cannot gain enough to reach the window, the move is pruned (J. Schaeffer 1986,
"Experiments in search and knowledge", thesis, Waterloo; E. A. Heinz 1998, "Extended futility pruning", ICCA Journal
21).

Reverse futility: if the estimate is better than the window by a margin for each remaining ply, the node is cut off
(chessprogramming wiki, "Reverse Futility Pruning").

Near the horizon, two kinds of moves are pruned: late quiet moves (wiki, "Late Move Pruning"), and moves that lose the
exchange on their target square (wiki, "Static Exchange Evaluation").

Improving: the player to move is improving if the estimate is better than it was two plies earlier. If so, fewer moves
are pruned or reduced, and the margin of reverse futility is smaller (wiki, "Improving").

Width: at each node, only the first moves of the move order are searched. Their number is fixed. C. E. Shannon 1950,
"Programming a computer for playing chess", Philosophical Magazine 41, calls such a search type B.

Late-move reductions: if the move order is good, a late move is rarely the best move. So late moves are first searched
to a reduced depth, and to the full depth only if their value is better than expected (wiki, "Late Move Reductions"; T.
Romstad 2003, "An introduction to late move reductions").

Extensions: forced moves, and replies to threats, do not reduce the remaining depth. Without extensions, a player could
make threats to delay a loss until it is beyond the horizon (wiki, "Check Extensions", "One Reply Extensions").

Internal iterative reduction: if the transposition table has no move for a node, the node is searched to a smaller
depth. When the next iteration searches the node, the table has a move (E. Schroeder, "Internal iterative reduction",
rebel13.nl).
"""

import math
from typing import Any

from gamesearch.algorithms.node.ordering import is_forcing, loses_exchange
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import Search
from gamesearch.algorithms.selective.parts import STAY, Node, SelectiveRecords, estimate_once, is_scout, is_threatened
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = [
    "beyond_margin", "estimate_for_futility", "extension", "internal_reduction", "is_improving", "note_estimate",
    "prune", "reduction",
]  # fmt: skip

REVERSE_DEPTH, PRUNED_DEPTH = 6, 5
"""The greatest depth at which reverse futility is used, and the greatest depth at which late moves and losing moves are
pruned."""
LATE = 3
"""A move is late if at least LATE + depth * depth moves of the node come before it. If the player is not improving,
this number is reduced to 60 %."""
LOSS, LOSS_OF_FORCING = 50.0, 100.0
"""A quiet move is pruned if it loses more than LOSS * depth (in hundredths of a pawn). A forcing move is pruned if it
loses more than LOSS_OF_FORCING * depth."""


@kernel
def note_estimate(game: Game, s: Any, node: Node, search: Search) -> float:
    """Record the estimate of s for `is_improving`, and return the estimate. The estimate is NaN if it is not needed."""
    if not search.selection.parts.improving:
        return math.nan
    estimate = math.nan if node.threatened or node.depth <= 0 else estimate_once(game, s, math.nan)
    search.selection.trail.estimates[node.ply] = estimate
    return estimate


@kernel
def is_improving(maximizing: bool, ply: int, search: Search) -> bool:
    """Whether the estimate is better for the player to move than it was two plies earlier."""
    if ply < 2 or not search.selection.parts.improving:
        return False
    now, before = search.selection.trail.estimates[ply], search.selection.trail.estimates[ply - 2]
    return bool(now > before if maximizing else now < before)


@kernel
def beyond_margin(
    game: Game, s: Any, node: Node, value: float, estimate: float, search: Search
) -> tuple[bool, float, float]:
    """Decide whether the estimate is so far beyond the window that the node can be cut off (reverse futility). Returns
    the decision, the value of the node, and the estimate (NaN if it was not computed)."""
    parts, run = search.selection.parts, search.run
    limit = node.high if node.maximizing else node.low
    is_near = node.ply > 0 and 0 < node.depth <= REVERSE_DEPTH
    if not parts.reverse or not parts.margin > 0 or node.threatened or not is_near:
        return False, value, estimate
    if not is_scout(node.low, node.high, parts.step) or estimate_within(game, limit) != limit:
        return False, value, estimate
    estimate = estimate_once(game, s, estimate)
    margin = parts.margin * (node.depth - is_improving(node.maximizing, node.ply, search))
    reached = estimate - margin if node.maximizing else estimate + margin
    if reached < limit if node.maximizing else reached > limit:
        return False, value, estimate
    run.counts.truncated += 1
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.predicts(node.ply, reached, node.maximizing)
    return True, estimate_within(game, reached), estimate


@kernel
def estimate_for_futility(game: Game, s: Any, node: Node, estimate: float, search: Search) -> float:
    """The estimate that is used to test moves for futility; NaN if this node does not prune futile moves."""
    is_possible = search.selection.parts.futility and node.depth == 1 and node.ply > 0 and not node.threatened
    if search.groups.selective is not None and is_possible:
        return estimate_once(game, s, estimate)
    return math.nan


@kernel
def greatest_value_after(game: Game, s: Any, move: int, estimate: float, maximizing: bool, search: Search) -> float:
    """The best estimate that the move can lead to: the present estimate plus the greatest gain. Infinite if the gain is
    unknown."""
    if search.groups.selective is not None and not math.isnan(estimate):
        gain = game.most_gain(s, move)  # type: ignore[attr-defined]
        return estimate_within(game, estimate + gain if maximizing else estimate - gain)
    return math.inf if maximizing else -math.inf


@kernel
def without_proof(game: Game, value: float, maximizing: bool) -> float:
    """The value of a node at which moves were pruned. A proven win remains proven, but a loss becomes an estimate."""
    estimate = estimate_within(game, value)
    return max(value, estimate) if maximizing else min(value, estimate)


@kernel
def prune(
    game: Game, s: Any, move: int, index: int, value: float, node: Node, estimate: float, search: Search
) -> tuple[bool, float]:
    """Decide whether to prune a move. Returns the decision and the value of the node. If the move is pruned, a proven
    loss becomes an estimate, because the pruned move might not lose."""
    parts, depth, maximizing = search.selection.parts, node.depth, node.maximizing
    reached = greatest_value_after(game, s, move, estimate, maximizing, search)
    is_futile = reached <= node.low if maximizing else reached >= node.high
    is_late = is_losing = False
    if not is_futile and index > 0 and node.ply > 0 and 0 < depth <= PRUNED_DEPTH and not node.threatened:
        # Prune only if an earlier move does not lose, and if the window is a null window.
        if is_scout(node.low, node.high, parts.step) and estimate_within(game, value) == value:
            is_forced = is_forcing(game, s, move)
            late = LATE + depth * depth
            if parts.improving and not is_improving(maximizing, node.ply, search):
                late = late * 3 // 5
            is_late = bool(parts.late and index >= late and not is_forced)
            if parts.exchanges and not is_late:
                is_losing = loses_exchange(game, s, move, depth * (LOSS_OF_FORCING if is_forced else LOSS), search)
    if not is_futile and not is_late and not is_losing and not 0 < parts.width <= index:
        return False, value
    reached = reached if is_futile else value
    search.run.counts.truncated += 1
    if search.run.observer is not None:
        why = "futile" if is_futile else "late" if is_late else "exchange" if is_losing else "width"
        search.run.observer.prune_move(node.ply, move, why)
    return True, without_proof(game, max(value, reached) if maximizing else min(value, reached), maximizing)


LEAST_REDUCED_DEPTH = 3
FIRST_REDUCED = 3
"""The first FIRST_REDUCED moves of a node are never searched to a reduced depth."""
INTERNAL_DEPTH = 4


@kernel
def reduction_of_late_move(depth: int, index: int, divisor: float) -> int:
    """The number of plies by which the search of a move is reduced. It grows with the move's index and the depth."""
    return int(math.log(depth) * math.log(index + 1) / divisor)


@kernel
def reduction(game: Game, s: Any, move: int, after: Any, node: Node, index: int, search: Search) -> int:
    """The number of plies by which the search of a move is reduced. Early and forcing moves, and replies to a threat,
    are not reduced."""
    parts, depth = search.selection.parts, node.depth
    if not parts.reductions or node.threatened or index < FIRST_REDUCED or depth < LEAST_REDUCED_DEPTH:
        return 0
    if is_forcing(game, s, move) or is_threatened(game, after, search):
        return 0
    plies = reduction_of_late_move(depth, index, parts.divisor)
    if parts.improving and not is_improving(node.maximizing, node.ply, search):
        plies += 1
    return max(0, min(depth - 2, plies))


@kernel
def extension(ply: int, is_forced: bool, selection: SelectiveRecords) -> int:
    """The number of plies by which a node is searched deeper: 1 if the player's move is forced, otherwise 0."""
    parts = selection.parts
    return 1 if is_forced and parts.extensions and ply < 2 * parts.root_depth else 0


@kernel
def internal_reduction(ply: int, depth: int, table_move: int, selection: SelectiveRecords) -> int:
    """The reduction of a node in plies: 1 if the transposition table has no move for the node, otherwise 0. The depth
    of a shallow search of ProbCut is not reduced, because the prediction is for exactly this depth."""
    if not selection.parts.internal or table_move >= 0 or depth < INTERNAL_DEPTH or ply == 0:
        return 0
    return 0 if selection.trail.moves[ply] == STAY else 1
