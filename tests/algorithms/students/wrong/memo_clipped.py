"""Alpha-beta with a memo that stores bounds as if they were exact values."""

import math

from gamesearch import MAX


def memo_alphabeta(game, s, depth):
    memo = {}

    def alphabeta(s, depth, alpha, beta):
        if (s, depth) in memo:
            return memo[s, depth]
        if game.terminal(s):
            return game.utility(s)
        if depth == 0:
            return game.evaluate(s)
        is_max = game.player(s) == MAX
        best = -math.inf if is_max else math.inf
        for move in game.moves(s):
            value = alphabeta(game.result(s, move), depth - 1, alpha, beta)
            if is_max:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        memo[s, depth] = best
        return best

    return alphabeta(s, depth, -math.inf, math.inf)
