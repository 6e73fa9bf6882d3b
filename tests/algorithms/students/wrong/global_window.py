"""Alpha and beta are global variables, so the search of one move narrows the window of the next moves."""

import math

from gamesearch import MAX

alpha, beta = -math.inf, math.inf


def alphabeta(game, s, depth):
    global alpha, beta
    alpha, beta = -math.inf, math.inf
    return value(game, s, depth)


def value(game, s, depth):
    global alpha, beta
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    best = -math.inf if game.player(s) == MAX else math.inf
    for move in game.moves(s):
        if game.player(s) == MAX:
            best = max(best, value(game, game.result(s, move), depth - 1))
            alpha = max(alpha, best)
        else:
            best = min(best, value(game, game.result(s, move), depth - 1))
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
