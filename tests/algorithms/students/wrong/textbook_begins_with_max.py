"""The search begins with MAX-VALUE, even if Min is to move."""

import math


def alpha_beta_search(game, state):
    best = max_value
    return best(game, state, -math.inf, math.inf)[1]


def max_value(game, state, alpha, beta):
    if game.terminal(state):
        return game.utility(state), None
    v, move = -math.inf, None
    for a in game.moves(state):
        v2, _ = min_value(game, game.result(state, a), alpha, beta)
        if v2 > v:
            v, move = v2, a
            alpha = max(alpha, v)
        if v >= beta:
            return v, move
    return v, move


def min_value(game, state, alpha, beta):
    if game.terminal(state):
        return game.utility(state), None
    v, move = math.inf, None
    for a in game.moves(state):
        v2, _ = max_value(game, game.result(state, a), alpha, beta)
        if v2 < v:
            v, move = v2, a
            beta = min(beta, v)
        if v <= alpha:
            return v, move
    return v, move
