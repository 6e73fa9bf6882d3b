"""Each move of the root is searched with a full window."""

import math

from gamesearch import MAX


def value(game, s, depth, alpha, beta):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, value(game, game.result(s, move), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, value(game, game.result(s, move), depth - 1, alpha, beta))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def alphabeta(game, s, depth):
    values = [value(game, game.result(s, m), depth - 1, -math.inf, math.inf) for m in game.moves(s)]
    return max(values) if game.player(s) == MAX else min(values)
