"""The best reply is returned in place of the move."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s), None
    if depth == 0:
        return game.evaluate(s), None
    best, best_move = (-math.inf if game.player(s) == MAX else math.inf), None
    for move in game.moves(s):
        value, reply = minimax(game, game.result(s, move), depth - 1)
        if value > best if game.player(s) == MAX else value < best:
            best, best_move = value, move if reply is None else reply
    return best, best_move
