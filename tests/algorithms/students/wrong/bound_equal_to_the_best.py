"""A bound that equals the best value replaces the best move at the root."""

import math

from gamesearch import MAX


def value(game, s, depth, alpha, beta):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, value(game, game.result(s, move), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, value(game, game.result(s, move), depth - 1, alpha, beta))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def alphabeta(game, s, depth):
    best_move, alpha, beta = None, -math.inf, math.inf
    for move in game.moves(s):
        found = value(game, game.result(s, move), depth - 1, alpha, beta)
        if game.player(s) == MAX and found >= alpha:
            alpha, best_move = found, move
        elif game.player(s) != MAX and found <= beta:
            beta, best_move = found, move
    return (alpha if game.player(s) == MAX else beta), best_move
