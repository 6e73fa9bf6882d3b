"""The player is asked after the move, not before it."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s), None
    if depth == 0:
        return game.evaluate(s), None
    best, best_move = (-math.inf if game.player(s) == MAX else math.inf), None
    for move in game.moves(s):
        after = game.result(s, move)
        value, _ = minimax(game, after, depth - 1)
        if value > best if not game.terminal(after) and game.player(after) == MAX else value < best:
            best, best_move = value, move
    return best, best_move
