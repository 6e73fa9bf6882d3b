"""Minimax as three functions that call each other: value, max_value and min_value."""

import math

from gamesearch import MAX


def value(game, state, depth, alpha, beta):
    if game.terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    best = max_value if game.player(state) == MAX else min_value
    return best(game, state, depth, alpha, beta)


def max_value(game, state, depth, alpha, beta):
    v = -math.inf
    for action in game.moves(state):
        v = max(v, value(game, game.result(state, action), depth - 1, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(game, state, depth, alpha, beta):
    v = math.inf
    for action in game.moves(state):
        v = min(v, value(game, game.result(state, action), depth - 1, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v
