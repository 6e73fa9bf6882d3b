"""The move is replaced by every equal one in the loop, the value by every later one."""

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
            best_move = move
        best = value if best_move == move or abs(value) >= abs(best) else best
    return best, best_move
