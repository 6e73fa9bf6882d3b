"""value, max_value, min_value and exp_value."""

from gamesearch import CHANCE, MAX


def value(game, state, depth):
    if game.terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    if game.player(state) == CHANCE:
        return exp_value(game, state, depth)
    return max_value(game, state, depth) if game.player(state) == MAX else min_value(game, state, depth)


def max_value(game, state, depth):
    return max(value(game, game.result(state, action), depth - 1) for action in game.moves(state))


def min_value(game, state, depth):
    return min(value(game, game.result(state, action), depth - 1) for action in game.moves(state))


def exp_value(game, state, depth):
    return sum(p * value(game, game.result(state, outcome), depth - 1) for outcome, p in game.outcomes(state))
