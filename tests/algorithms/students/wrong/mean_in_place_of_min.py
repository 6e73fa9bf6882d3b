"""Min is taken to move at random."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, minimax(game, game.result(s, move), depth - 1))
        return best
    values = [minimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return sum(values) / len(values)
