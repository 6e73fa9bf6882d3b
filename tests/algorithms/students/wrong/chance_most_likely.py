"""Only the most likely outcome is searched."""

from gamesearch import CHANCE, MAX


def expectiminimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == CHANCE:
        outcome, _ = max(game.outcomes(s), key=lambda each: each[1])
        return expectiminimax(game, game.result(s, outcome), depth - 1)
    values = [expectiminimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return max(values) if game.player(s) == MAX else min(values)
