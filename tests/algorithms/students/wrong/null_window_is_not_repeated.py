"""A search in a null window that fails high is not repeated."""

import math


def negascout(game, s, depth, alpha, beta, color):
    if game.terminal(s):
        return color * game.utility(s)
    if depth == 0:
        return color * game.evaluate(s)
    best = -math.inf
    for number, move in enumerate(game.moves(s)):
        high = beta if number == 0 else min(beta, alpha + 0.5)
        value = -negascout(game, game.result(s, move), depth - 1, -high, -alpha, -color)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
