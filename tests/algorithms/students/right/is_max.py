"""Alpha-beta with is_max."""

import math


def alphabeta(game, s, depth, alpha, beta, is_max):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if is_max:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, alphabeta(game, game.result(s, move), depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, alphabeta(game, game.result(s, move), depth - 1, alpha, beta, True))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best
