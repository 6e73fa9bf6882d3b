"""Iterative deepening that returns the result of the last depth."""

import math

from gamesearch import MAX


def iterative_deepening(game, s, depth):
    found = None
    for limit in range(1, min(depth, 12) + 1):
        found = root(game, s, limit)
    return found


def root(game, s, limit):
    is_max = game.player(s) == MAX
    best, best_move = (-math.inf if is_max else math.inf), None
    for move in game.moves(s):
        value = _minimax(game, game.result(s, move), limit - 1)
        if value > best if is_max else value < best:
            best, best_move = value, move
    return best, best_move


def _minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [_minimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return max(values) if game.player(s) == MAX else min(values)
