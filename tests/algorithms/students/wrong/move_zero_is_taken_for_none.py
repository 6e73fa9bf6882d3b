"""Move 0 is taken for no move."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s), None
    if depth == 0:
        return game.evaluate(s), None
    best, best_move = (-math.inf if game.player(s) == MAX else math.inf), None
    for move in game.moves(s):
        value, _ = minimax(game, game.result(s, move), depth - 1)
        if value > best if game.player(s) == MAX else value < best:
            best, best_move = value, move
    return best, best_move or max(game.moves(s))
