"""Negamax with a memo that stores bounds as if they were exact values."""

import math

from gamesearch import MAX


def with_memo(game, s, depth):
    memo = {}

    def negamax(s, depth, alpha, beta, color):
        if (s, depth) in memo:
            return memo[s, depth]
        if game.terminal(s):
            return color * game.utility(s)
        if depth == 0:
            return color * game.evaluate(s)
        for move in game.moves(s):
            alpha = max(alpha, -negamax(game.result(s, move), depth - 1, -beta, -alpha, -color))
            if alpha >= beta:
                break
        memo[s, depth] = alpha
        return alpha

    color = 1 if game.player(s) == MAX else -1
    return color * negamax(s, depth, -math.inf, math.inf, color)
