"""Negascout."""

import math


def negascout(game, s, depth, alpha, beta, color):
    if game.terminal(s):
        return color * game.utility(s)
    if depth == 0:
        return color * game.evaluate(s)
    best = -math.inf
    for number, move in enumerate(game.moves(s)):
        after = game.result(s, move)
        high = beta if number == 0 else min(beta, alpha + 1e-9)
        value = -negascout(game, after, depth - 1, -high, -alpha, -color)
        if high <= value < beta:
            value = -negascout(game, after, depth - 1, -beta, -alpha, -color)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
