"""Expectiminimax."""

from gamesearch import CHANCE, MAX


def expectiminimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == CHANCE:
        return sum(p * expectiminimax(game, game.result(s, o), depth - 1) for o, p in game.outcomes(s))
    values = [expectiminimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return max(values) if game.player(s) == MAX else min(values)
