"""Expectiminimax: Russell and Norvig, 4th edition, section 5.5.1; pruning by Ballard 1983.

B. W. Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial
Intelligence 21. Without a Min player it is expectimax; without chance nodes, alpha-beta.
"""

import math
from typing import Any

from gamesearch.algorithms.certain import certain_bounds, is_settled, keep
from gamesearch.algorithms.ordering import generate
from gamesearch.algorithms.workspace import NOWHERE, OUT_OF_SPACE, enter, record_line
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX, Game

__all__ = ["NO_PRUNING", "STAR1", "STAR2", "expectiminimax"]

NO_PRUNING, STAR1, STAR2 = range(3)
"""Search all; or leave a chance node when the bounds on the rest allow it; or probe the rest first."""


@kernel
def expectiminimax(
    game: Game[Any],
    s: Any,
    alpha: float,
    beta: float,
    depth: int,
    ply: int,
    probing: bool,
    workspace: Any,
    table: Any,
    ordering: Any,
    observer: Any,
) -> float:
    """The expected value of s for Max to `depth` plies, as far as it lies between alpha and beta.

    Below the window it is an upper bound, above it a lower bound. When `probing` a Max or Min node,
    only its first move is searched, so the value is a lower bound for Max, an upper one for Min.
    """
    # True and False themselves would be types of their own to Numba, each with a version of this kernel,
    # and its cache loses one version that another calls: a crash when it is loaded.
    yes, no = ply >= 0, ply < 0
    enter(workspace, ply)
    if observer is not None:
        observer.enter(s, ply, alpha, beta)
        if probing:
            observer.probe(ply)
    lower, upper, key, table_move = certain_bounds(game, s, alpha, beta, depth, ply, workspace, table, observer)
    best_move = -1
    truncated = workspace.truncated
    recurred = workspace.recurred
    top = workspace.top
    settled = is_settled(lower, upper, alpha, beta)
    if not settled:
        workspace.recurred = NOWHERE
    if settled:
        value = lower if lower >= beta else upper
    elif game.player(s) == CHANCE:
        value = 0.0
        count = list_outcomes(game, s, workspace)
        least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
        at_least, at_most = least, greatest  # the expectation, as far as it is known
        cut = False
        if workspace.pruning == STAR2:
            for i in range(top, top + count):
                p = workspace.scores[i]
                after = game.result(s, workspace.moves[i])
                side = prober(game, after, depth - 1)
                if side != CHANCE:
                    if observer is not None:
                        observer.move(ply, workspace.moves[i])
                    low, high = least, greatest
                    if side == MAX:
                        high = (beta - at_least) / p + least
                    else:
                        low = (alpha - at_most) / p + greatest
                    probe = expectiminimax(
                        game, after, low, high, depth - 1, ply + 1, yes, workspace, table, ordering, observer
                    )
                    if side == MAX:
                        at_least += p * raise_lower(game, i + count, probe, workspace)
                    else:
                        at_most -= p * reduce_upper(game, i + 2 * count, probe, workspace)
                cut = at_least >= beta or at_most <= alpha
                if cut and observer is not None:
                    observer.cutoff(ply, i - top, count)
                if workspace.stop or cut:
                    break
        for i in range(top, top + count):
            if workspace.stop or cut:
                break
            p = workspace.scores[i]
            after = game.result(s, workspace.moves[i])
            if observer is not None:
                observer.move(ply, workspace.moves[i])
            others_least = at_least - p * workspace.scores[i + count]
            others_most = at_most - p * workspace.scores[i + 2 * count]
            low, high = -math.inf, math.inf
            if workspace.pruning != NO_PRUNING:
                low = (alpha - others_most) / p
                high = (beta - others_least) / p
            child = expectiminimax(game, after, low, high, depth - 1, ply + 1, no, workspace, table, ordering, observer)
            value += p * child
            at_least = others_least + p * child
            at_most = others_most + p * child
            cut = child <= low or child >= high
            if cut and observer is not None:
                observer.cutoff(ply, i - top, count)
        if cut:
            workspace.cutoffs += 1
            value = at_least if at_least >= beta else at_most
    else:
        low = max(alpha, lower)
        high = min(beta, upper)
        maximizing = game.player(s) == MAX
        value = -math.inf if maximizing else math.inf
        count = generate(game, s, ply, table_move, workspace, ordering)
        for i in range(top, top + count):
            move = workspace.moves[i]
            if observer is not None:
                observer.move(ply, move)
            after = game.result(s, move)
            child = expectiminimax(game, after, low, high, depth - 1, ply + 1, no, workspace, table, ordering, observer)
            if workspace.stop:
                break
            if child > value if maximizing else child < value:
                value = child
                best_move = move
                record_line(workspace, ply, move)
            if workspace.pruning != NO_PRUNING:
                if maximizing:
                    low = max(low, child)
                else:
                    high = min(high, child)
            if low >= high:
                workspace.cutoffs += 1
                if observer is not None:
                    observer.cutoff(ply, i - top, count)
                break
            if probing:
                break
    workspace.top = top
    if not settled and table is not None and not workspace.stop and not probing and workspace.recurred >= ply:
        lower = max(lower, value) if value > alpha else lower
        upper = min(upper, value) if value < beta else upper
        proven = workspace.truncated == truncated
        keep(game, lower, upper, key, depth, ply, proven, best_move, workspace, table)
    if not settled:
        workspace.recurred = min(recurred, workspace.recurred if workspace.recurred < ply else NOWHERE)
    if observer is not None:
        observer.leave(ply, value)
    return value


@kernel
def list_outcomes(game: Game[Any], s: Any, workspace: Any) -> int:
    """Put the outcomes of a chance node into the workspace from `top` on; how many there are.

    Of n outcomes, the probabilities are in `scores` at the same places, behind them n lower bounds
    on the values, and then n upper bounds.
    """
    top, count = workspace.top, 0
    for outcome, probability in game.outcomes(s):
        if probability > 0.0:
            if top + 3 * (count + 1) >= len(workspace.moves):
                workspace.stop = OUT_OF_SPACE
                break
            workspace.moves[top + count] = outcome
            workspace.scores[top + count] = probability
            count += 1
    for i in range(top + count, top + 2 * count):
        workspace.scores[i] = game.MINSCORE
        workspace.scores[i + count] = game.MAXSCORE
    workspace.top = top + 3 * count
    return count


@kernel
def prober(game: Game[Any], s: Any, depth: int) -> int:
    """Whose first move a probe can search: MAX, MIN, or CHANCE for neither."""
    return CHANCE if depth <= 0 or game.terminal(s) else game.player(s)


@kernel
def raise_lower(game: Game[Any], place: int, bound: float, workspace: Any) -> float:
    """Raise the lower bound of an outcome; by how much."""
    before: float = workspace.scores[place]
    raised = max(before, min(bound, float(game.MAXSCORE)))
    workspace.scores[place] = raised
    return raised - before


@kernel
def reduce_upper(game: Game[Any], place: int, bound: float, workspace: Any) -> float:
    """Reduce the upper bound of an outcome; by how much."""
    before: float = workspace.scores[place]
    reduced = min(before, max(bound, float(game.MINSCORE)))
    workspace.scores[place] = reduced
    return before - reduced
