"""Minimax whose depth counts up from a default, and plies are not used otherwise."""

import math

from gamesearch import MAX


def minimax(game, s, depth=0):
    if game.terminal(s):
        return game.utility(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, minimax(game, game.result(s, move), depth + 1))
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, minimax(game, game.result(s, move), depth + 1))
    return best
