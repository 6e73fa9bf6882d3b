"""A best value of 0 is taken for no value."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = None
        for move in game.moves(s):
            value = minimax(game, game.result(s, move), depth - 1)
            if not best or value > best:
                best = value
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, minimax(game, game.result(s, move), depth - 1))
    return best
