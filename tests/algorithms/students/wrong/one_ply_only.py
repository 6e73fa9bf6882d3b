"""A greedy player, which compares only the estimates of the positions after its moves."""

from gamesearch import MAX


def greedy(game, s, depth):
    values = {}
    for move in game.moves(s):
        after = game.result(s, move)
        values[move] = game.utility(after) if game.terminal(after) else game.evaluate(after)
    best = (max if game.player(s) == MAX else min)(values, key=values.get)
    return values[best], best
