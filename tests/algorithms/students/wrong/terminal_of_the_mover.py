"""The payoff is for the player to move, and not for Max."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s) if game.player(s) == MAX else -game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, minimax(game, game.result(s, move), depth - 1))
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, minimax(game, game.result(s, move), depth - 1))
    return best
