"""A transposition table does not distinguish how deep a position was searched."""

import math

from gamesearch import MAX

EXACT, LOWER, UPPER = 0, 1, 2


def with_table(game, s, depth):
    table = {}

    def alphabeta(s, depth, alpha, beta):
        if game.terminal(s):
            return game.utility(s)
        if depth == 0:
            return game.evaluate(s)
        if s in table:
            value, flag = table[s]
            if flag == EXACT or (flag == LOWER and value >= beta) or (flag == UPPER and value <= alpha):
                return value
        low, high = alpha, beta
        best = -math.inf if game.player(s) == MAX else math.inf
        for move in game.moves(s):
            value = alphabeta(game.result(s, move), depth - 1, alpha, beta)
            if game.player(s) == MAX:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        flag = LOWER if best >= high else UPPER if best <= low else EXACT
        table[s] = best, flag
        return best

    return alphabeta(s, depth, -math.inf, math.inf)
