"""Alpha-beta that opens the window at chance nodes."""

import math

from gamesearch import CHANCE, MAX


def alphabeta(game, s, depth, alpha, beta):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == CHANCE:
        mean = 0
        for outcome, probability in game.outcomes(s):
            mean += probability * alphabeta(game, game.result(s, outcome), depth - 1, -math.inf, math.inf)
        return mean
    best = -math.inf if game.player(s) == MAX else math.inf
    for move in game.moves(s):
        value = alphabeta(game, game.result(s, move), depth - 1, alpha, beta)
        if game.player(s) == MAX:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
