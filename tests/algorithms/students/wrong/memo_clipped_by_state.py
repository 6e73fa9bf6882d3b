"""Alpha-beta to the end of the game, with a memo that stores bounds as if they were exact values."""

import math

from gamesearch import MAX


def alpha_beta_search(game, state):
    memo = {}

    def max_value(state, alpha, beta):
        if state in memo:
            return memo[state]
        if game.terminal(state):
            return game.utility(state)
        v = -math.inf
        for a in game.moves(state):
            v = max(v, min_value(game.result(state, a), alpha, beta))
            if v >= beta:
                break
            alpha = max(alpha, v)
        memo[state] = v
        return v

    def min_value(state, alpha, beta):
        if state in memo:
            return memo[state]
        if game.terminal(state):
            return game.utility(state)
        v = math.inf
        for a in game.moves(state):
            v = min(v, max_value(game.result(state, a), alpha, beta))
            if v <= alpha:
                break
            beta = min(beta, v)
        memo[state] = v
        return v

    best = max_value if game.player(state) == MAX else min_value
    return best(state, -math.inf, math.inf), None
