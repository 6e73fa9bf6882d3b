"""Negamax does not change the color."""

import math


def negamax(game, s, depth, alpha, beta, color):
    if game.terminal(s):
        return color * game.utility(s)
    if depth == 0:
        return color * game.evaluate(s)
    best = -math.inf
    for move in game.moves(s):
        best = max(best, -negamax(game, game.result(s, move), depth - 1, -beta, -alpha, color))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
