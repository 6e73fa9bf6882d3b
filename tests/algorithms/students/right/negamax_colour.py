"""Negamax with a colour."""

import math


def negamax(game, s, depth, alpha, beta, colour):
    if game.terminal(s):
        return colour * game.utility(s)
    if depth == 0:
        return colour * game.evaluate(s)
    best = -math.inf
    for move in game.moves(s):
        best = max(best, -negamax(game, game.result(s, move), depth - 1, -beta, -alpha, -colour))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
