"""Nothing is cut off."""

import math

from gamesearch import MAX


def alphabeta(game, s, depth, alpha, beta):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, alphabeta(game, game.result(s, move), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if False:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, alphabeta(game, game.result(s, move), depth - 1, alpha, beta))
        beta = min(beta, best)
        if False:
            break
    return best
