"""Alpha-beta: Knuth and Moore 1975, "An analysis of alpha-beta pruning", Artificial Intelligence 6.

The textbook's page is Russell and Norvig, 4th edition, figure 5.7. Max and Min may move in any order.
"""

import math
from typing import Any

from gamesearch.algorithms.certain import certain_bounds, is_settled, keep_result
from gamesearch.algorithms.ordering import follow, generate, remember_refutation, sort_moves
from gamesearch.algorithms.recurrence import NOWHERE
from gamesearch.algorithms.workspace import drawn_value, enter, record_line
from gamesearch.compiler import kernel
from gamesearch.game import FORBIDDEN, MAX, Game

__all__ = ["alphabeta"]


@kernel
def alphabeta(
    game: Game[Any],
    s: Any,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    workspace: Any,
    table: Any,
    ordering: Any,
    observer: Any,
) -> float:
    """The value of s for Max to `depth` plies, as far as it lies between alpha and beta.

    Returns v with: alpha < v < beta, the value is v; v <= alpha, the value is at most v; v >= beta,
    the value is at least v (fail-soft). With `workspace.fail_hard`, v is clipped to [alpha, beta].
    With `workspace.bounds`, the value of each position that is searched is clipped into the game's
    bounds, but not here at the root, where they would hide which move is best.
    """
    enter(workspace, ply)
    if observer is not None:
        observer.enter(s, ply, alpha, beta)
    truncated = workspace.truncated
    lower, upper, key, table_move = certain_bounds(game, s, alpha, beta, depth, ply, workspace, table, observer)
    if is_settled(lower, upper, alpha, beta):
        value = lower if lower >= beta else upper
    else:
        maximizing = game.player(s) == MAX
        recurred, top = workspace.recurred, workspace.top
        workspace.recurred = NOWHERE
        low, high = max(alpha, lower), min(beta, upper)
        value, best_move = -math.inf if maximizing else math.inf, -1
        count, first = generate(game, s, ply, table_move, workspace, ordering)
        if game.recurrence == FORBIDDEN and count == 0 and not workspace.stop:
            value = drawn_value(game, workspace)
        for i in range(top, top + count):
            if i == top + 1 and ordering is not None:
                sort_moves(top, first, top + count, workspace)
            move = workspace.moves[i if i > top else first]
            if observer is not None:
                observer.move(ply, move)
            if ordering is not None:
                follow(ply, move, ordering)
            after = game.result(s, move)
            child = alphabeta(game, after, low, high, depth - 1, ply + 1, workspace, table, ordering, observer)
            if workspace.stop:
                break
            if child > value if maximizing else child < value:
                value, best_move = child, move
                record_line(workspace, ply, move)
                if maximizing:
                    low = max(low, value)
                else:
                    high = min(high, value)
                if low >= high:
                    workspace.cutoffs += 1
                    if ordering is not None:
                        remember_refutation(game, s, move, ply, depth, ordering)
                    if observer is not None:
                        observer.cutoff(ply, i - top, count)
                    break
        workspace.top = top
        value = max(lower, min(upper, value))
        proven = workspace.truncated == truncated
        lower, upper = value if value > alpha else lower, value if value < beta else upper
        keep_result(game, lower, upper, key, depth, ply, proven, best_move, workspace, table)
        workspace.recurred = min(recurred, workspace.recurred if workspace.recurred < ply else NOWHERE)
    if workspace.fail_hard:
        value = max(alpha, min(beta, value))
    if observer is not None:
        observer.leave(ply, value)
    return value
