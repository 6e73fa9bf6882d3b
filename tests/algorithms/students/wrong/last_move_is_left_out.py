"""The last move is not searched."""

import math

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, minimax(game, game.result(s, move), depth - 1))
        return best
    best = math.inf
    moves = list(game.moves(s))
    for move in moves[: max(1, len(moves) - 1)]:
        best = min(best, minimax(game, game.result(s, move), depth - 1))
    return best
