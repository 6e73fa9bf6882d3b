"""Alpha-beta search, fail-soft and fail-hard.

D. E. Knuth and R. W. Moore 1975, "An analysis of alpha-beta pruning", Artificial Intelligence 6; Russell and Norvig,
4th edition, figure 5.7; J. P. Fishburn 1983, "Another optimization of alpha-beta search", SIGART Newsletter 84.
"""

import math

from gamesearch import MAX

__all__ = ["alphabeta", "fail_hard_alphabeta"]


def alphabeta(game, s, depth, alpha, beta):
    """Search s to a depth. The result is the value for Max if it is between alpha and beta; otherwise, a bound.

    A result <= alpha is an upper bound, and a result >= beta is a lower bound (fail-soft).
    """
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, alphabeta(game, game.result(s, move), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if best >= beta:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, alphabeta(game, game.result(s, move), depth - 1, alpha, beta))
        beta = min(beta, best)
        if best <= alpha:
            break
    return best


def fail_hard_alphabeta(game, s, depth, alpha, beta):
    """Search s to a depth. The result is the value for Max, clipped to the window from alpha to beta (fail-hard)."""
    if game.terminal(s):
        return min(max(game.utility(s), alpha), beta)
    if depth == 0:
        return min(max(game.evaluate(s), alpha), beta)
    if game.player(s) == MAX:
        for move in game.moves(s):
            alpha = max(alpha, fail_hard_alphabeta(game, game.result(s, move), depth - 1, alpha, beta))
            if alpha >= beta:
                return beta
        return alpha
    for move in game.moves(s):
        beta = min(beta, fail_hard_alphabeta(game, game.result(s, move), depth - 1, alpha, beta))
        if beta <= alpha:
            return alpha
    return beta
