"""The moves are counted, and none is left for the loop."""

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
    moves = game.moves(s)
    best = math.inf if len(list(moves)) > 1 else 0
    for move in moves:
        best = min(best, minimax(game, game.result(s, move), depth - 1))
    return best
