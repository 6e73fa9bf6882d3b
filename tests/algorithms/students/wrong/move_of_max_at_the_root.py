"""The root's move is the best for Max, even if Min is to move."""

import math

from gamesearch import MAX


def value(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, value(game, game.result(s, move), depth - 1))
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, value(game, game.result(s, move), depth - 1))
    return best


def best_move(game, s):
    return max(game.moves(s), key=lambda move: value(game, game.result(s, move), 99))
