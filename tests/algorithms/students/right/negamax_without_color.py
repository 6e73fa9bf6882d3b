"""Negamax with values for the player to move."""

import math

from gamesearch import MAX


def negamax(game, s, depth, alpha=-math.inf, beta=math.inf):
    sign = 1 if game.player(s) == MAX else -1
    if game.terminal(s):
        return sign * game.utility(s)
    if depth == 0:
        return sign * game.evaluate(s)
    best = -math.inf
    for move in game.moves(s):
        best = max(best, -negamax(game, game.result(s, move), depth - 1, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
