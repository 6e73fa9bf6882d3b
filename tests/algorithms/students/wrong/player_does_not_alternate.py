"""The player is not switched in the recursive call."""

from gamesearch import MAX


def minimax(game, s, depth):
    return value(game, s, depth, game.player(s) == MAX)


def value(game, s, depth, is_max):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [value(game, game.result(s, move), depth - 1, is_max) for move in game.moves(s)]
    return max(values) if is_max else min(values)
