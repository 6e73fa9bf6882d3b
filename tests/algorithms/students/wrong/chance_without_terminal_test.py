"""The terminal test is missing after a roll: a game that ends with a roll is not recognized as finished."""

from gamesearch import CHANCE, MAX


def expectiminimax(game, s, depth):
    if game.player(s) == CHANCE:
        return sum(p * _after_roll(game, game.result(s, o), depth - 1) for o, p in game.outcomes(s))
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [expectiminimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return max(values) if game.player(s) == MAX else min(values)


def _after_roll(game, s, depth):
    if depth == 0:
        return game.evaluate(s)
    values = [expectiminimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return max(values, default=0) if game.player(s) == MAX else min(values, default=0)
