"""The bookkeeping of a woven function at each node.

The bookkeeping counts nodes, leaves and cutoffs. It also stops the search at limits, detects repetition, keeps the
principal variation, and reports events to the observer. The weaver adds calls of the kernels in this module to a
textbook function. Code that a game or a search does not need is removed during compilation.
"""

import math
from typing import Any

from gamesearch.algorithms.node.repetition import is_forbidden, is_repetition, note_position
from gamesearch.algorithms.node.values import adjusted_for_ply, estimate_within, estimates_within
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    FULL_DEPTH,
    Options,
    Path,
    Run,
    Stopped,
    enter,
    note_cutoff,
    record_variation,
)
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MOST_MOVES, REPETITION_DRAWS, Game
from gamesearch.toolkit.bits import replace_item

__all__ = ["HELPERS", "NAMES", "color_of", "note_root_value"]

OPEN, OVER, DRAWN, STUCK = range(4)
"""The state of a node before its moves are searched. OPEN means that the moves must be searched. OVER means that the
game is over. DRAWN means a draw by repetition. STUCK means that all moves are forbidden, because they repeat positions.
Only `check_forbidden_moves` returns STUCK."""


@kernel
def enter_node(
    game: Game, s: Any, depth: int, alpha: Any, beta: Any, color: int, ply: int, options: Options, run: Run
) -> tuple[int, int]:
    """Begin a node. Returns the node's state (OPEN, OVER or DRAWN) and the number of nodes visited so far.

    `alpha` and `beta` are bounds on Max's value if `color` is 1, and bounds on Min's value if `color` is -1. Raises
    Stopped if the search has reached a limit.
    """
    enter(ply, options, run)
    if run.observer is not None:
        if game.payoff_count > 1:
            run.observer.enter(s, ply, None, None)
        elif color < 0:
            run.observer.enter(s, ply, -beta, -alpha)
        else:
            run.observer.enter(s, ply, alpha, beta)
    if run.counts.stop:
        leave_path(game, s, ply, run)
        raise Stopped
    known = OPEN
    if game.terminal(s):
        known = OVER
    elif game.repetition == REPETITION_DRAWS and is_repetition(game, s, depth, ply, run.path):
        known = DRAWN
        if run.observer is not None:
            run.observer.repetition(ply)
    elif game.repetition == FORBIDDEN and depth > 0:
        note_position(game, s, ply, run.path)
    return known, run.counts.nodes


@kernel
def leave_path(game: Game, s: Any, ply: int, run: Run) -> None:
    """Report to the observer that the search leaves all nodes on its path. The values in these reports have no
    meaning."""
    if run.observer is not None:
        for each in range(ply, -1, -1):
            run.observer.leave(each, game.evaluate(s) if game.payoff_count > 1 else 0.0)


@kernel
def check_forbidden_moves(game: Game, s: Any, known: int, depth: int, ply: int, run: Run) -> int:
    """Return STUCK if `known` is OPEN and every move of the node is forbidden. Otherwise, return `known`.

    Only textbook functions that put the values of their moves into a list need this function. Functions with a loop use
    `searched_value` instead.
    """
    if game.repetition == FORBIDDEN and known == OPEN and depth > 0 and has_no_move(game, s, ply, run):
        return STUCK
    return known


@kernel
def searched_value(game: Game, value: Any, color: int, count: int) -> Any:
    """The value of a node after `count` moves were searched; a draw if every move is forbidden."""
    if game.repetition == FORBIDDEN and count == 0:
        return float(color * game.draw_value())
    return value


@kernel
def has_no_move(game: Game, s: Any, ply: int, run: Run) -> bool:
    """Whether every move is forbidden. The outcomes of a chance node count as moves if they are random moves of a
    player."""
    if game.player(s) == CHANCE:
        return game.moves_at_random(s) and allowed_share(game, s, ply, run) == 0.0
    for move in game.moves(s):
        if not is_forbidden(game, game.result(s, move), ply, run.path):
            return False
    return True


@kernel
def node_payoff(game: Game, s: Any, known: int, ply: int, options: Options) -> Any:
    """The value of a finished game, or of a draw by repetition."""
    if game.payoff_count > 1:
        return game.utility(s)
    if known in (DRAWN, STUCK):
        return float(game.draw_value())
    return adjusted_for_ply(game, float(game.utility(s)), ply, options.ply_cost)


@kernel
def node_estimate(game: Game, s: Any, run: Run) -> Any:
    """The evaluation of a position, clipped to the range of payoffs."""
    run.counts.truncated += 1
    if game.payoff_count > 1:
        return estimates_within(game, game.evaluate(s))
    return estimate_within(game, float(game.evaluate(s)))


@kernel
def is_skipped_outcome(game: Game, s: Any, after: Any, probability: float, ply: int, run: Run) -> bool:
    """Whether the search skips an outcome. It does if the outcome has probability 0, or if the outcome is a random
    player's move to a position that must not repeat."""
    if probability <= 0.0:
        return True
    return game.repetition == FORBIDDEN and game.moves_at_random(s) and is_forbidden(game, after, ply, run.path)


@kernel
def allowed_share(game: Game, s: Any, ply: int, run: Run) -> float:
    """The total probability of the searched outcomes. The probability of each outcome is divided by this total."""
    if game.repetition != FORBIDDEN:
        return 1.0
    if not game.moves_at_random(s):
        return 1.0
    share = 0.0
    for outcome, probability in game.outcomes(s):
        if probability > 0.0 and not is_forbidden(game, game.result(s, outcome), ply, run.path):
            share += probability
    return share


@kernel
def legal_moves(game: Game, s: Any, ply: int, run: Run) -> Any:
    """The list of moves that are not forbidden."""
    moves = [0]
    moves.clear()
    for move in game.moves(s):
        if len(moves) > MOST_MOVES:
            run.counts.stop = ENDLESS_MOVES
            raise Stopped
        if game.repetition == FORBIDDEN and is_forbidden(game, game.result(s, move), ply, run.path):
            continue
        moves.append(move)
    return moves


@kernel
def worst_value(game: Game, player: int) -> float:
    """Plus or minus infinity, whichever is worse for the player to move."""
    return math.inf if game.payoff_count == 1 and player != MAX else -math.inf


@kernel
def try_move(ply: int, move: int, count: int, run: Run) -> int:
    """Begin to search a move. `count` is the number of earlier moves; returns this number plus 1. Raises Stopped if
    there are too many moves."""
    if count > MOST_MOVES:
        run.counts.stop = ENDLESS_MOVES
        raise Stopped
    if run.observer is not None:
        run.observer.move(ply, move)
    return count + 1


@kernel
def better_value(game: Game, ply: int, move: int, child: Any, best: float, player: int, run: Run) -> float:
    """Compare the child's value with the best value so far, and return the value that is better for the player to move.
    If the child's value is better, record the move. Values of earlier iterations do not count.

    At chance nodes, outcomes are not compared. But if the root is a chance node, the outcome with the smallest value is
    recorded. If the chance node stands for Min as a random player, this outcome is Min's best move.
    """
    if ply == 0 and note_root_value(game, move, child, run.path):
        best = worst_value(game, player)
    if game.payoff_count > 1:
        value, is_better = child[player], player != CHANCE and child[player] > best
    elif game.chance and player == CHANCE:
        value, is_better = child, ply == 0 and child < best
    else:
        value, is_better = child, child > best if player == MAX else child < best
    if not is_better:
        return best
    record_variation(ply, move, run.line)
    return float(value)


@kernel
def note_root_value(game: Game, move: int, child: Any, path: Path) -> bool:
    """Record the value of a root move in `path`, after the earlier root values. Returns whether a new iteration begins.
    It begins if the current iteration has already valued this move. But if the move is the last one and not the first,
    the search has only valued it again with another window."""
    count, begins = game.payoff_count, False
    if (path.top + 1) * count > len(path.scores):
        forget_old_values(game, path)
    place = path.top
    if (place + 1) * count > len(path.scores):
        return False
    for i in range(path.iteration, place):
        if path.moves[i] == move and (i < place - 1 or i == path.iteration):
            begins = True
    if begins:
        path.previous = path.iteration
        path.iteration = place
    path.moves[place] = move
    if count > 1:
        for i in range(len(child)):
            path.scores[place * count + i] = child[i]
    else:
        path.scores[place] = child
    path.top = place + 1
    return begins


@kernel
def forget_old_values(game: Game, path: Path) -> None:
    """Make room for root values. Keep the last value of each move, and all values of the last two iterations."""
    count, kept = game.payoff_count, 0
    for i in range(path.top):
        is_kept = True
        if i < path.previous:
            for k in range(i + 1, path.top):
                if path.moves[k] == path.moves[i]:
                    is_kept = False
                    break
        if is_kept:
            path.moves[kept] = path.moves[i]
            for k in range(count):
                path.scores[kept * count + k] = path.scores[i * count + k]
            kept += 1
    dropped = path.top - kept
    path.previous -= dropped
    path.iteration -= dropped
    path.top = kept


@kernel
def cut_off(game: Game, s: Any, count: int, ply: int, run: Run) -> None:
    """Count a cutoff by move number `count`. The function now leaves its loop."""
    total = 0
    if run.observer is not None:
        total = len(possible_steps(game, s, ply, run))
    note_cutoff(ply, count - 1, total, run)


@kernel
def possible_steps(game: Game, s: Any, ply: int, run: Run) -> Any:
    """List the moves or outcomes that must be searched. Only interpreted searches use this function."""
    if game.player(s) == CHANCE:
        return [o for o, p in game.outcomes(s) if not is_skipped_outcome(game, s, game.result(s, o), p, ply, run)]
    return legal_moves(game, s, ply, run)


@kernel
def leave_node(known: int, nodes: int, value: Any, ply: int, run: Run) -> None:
    """End a node with its value. The node is counted as a leaf if the search has visited no other node since it entered
    this node."""
    if nodes == run.counts.nodes and known != DRAWN:
        run.counts.leaves += 1
    if run.observer is not None:
        run.observer.leave(ply, value)


@kernel
def color_of(game: Game, s: Any) -> int:
    """Return -1 if Min is to move, otherwise 1. If the game is over, the player who would move next counts as the
    player to move."""
    return 1 if game.player(s) == MAX or game.player(s) == CHANCE else -1


@kernel
def zero_payoffs(game: Game, s: Any) -> Any:
    """A tuple with payoff 0 for each player."""
    payoffs = game.evaluate(s)
    for i in range(len(payoffs)):
        payoffs = replace_item(payoffs, i, 0.0)
    return payoffs


@kernel
def add_weighted(payoffs: Any, weight: float, more: Any) -> Any:
    """For each player, add `weight` times the payoff in `more` to the payoff in `payoffs`."""
    for i in range(len(payoffs)):
        payoffs = replace_item(payoffs, i, payoffs[i] + weight * more[i])
    return payoffs


HELPERS: dict[str, Any] = {"add_weighted": add_weighted, "zero_payoffs": zero_payoffs}
"""Kernels, each of which replaces the textbook function of the same name. Numba cannot compile the original
functions."""
NAMES: dict[str, Any] = {
    "FORBIDDEN_": FORBIDDEN,
    "FULL_DEPTH_": FULL_DEPTH,
    "INFINITY_": math.inf,
    "OPEN_": OPEN,
    **{
        each.__name__: each
        for each in (
            allowed_share, better_value, color_of, cut_off, enter_node, is_forbidden, is_skipped_outcome,
            check_forbidden_moves, leave_node, legal_moves, node_estimate, node_payoff, searched_value, try_move,
            worst_value,
        )
    },
}  # fmt: skip
"""The values of the additional names in woven functions."""
