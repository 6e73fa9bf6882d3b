"""Minimax with a parameter maximizingPlayer, as in many lectures: wrong if a player may move twice in a row."""

import math


def minimax(game, node, depth, maximizingPlayer=True):
    if depth == 0 or game.terminal(node):
        return game.utility(node) if game.terminal(node) else game.evaluate(node)
    if maximizingPlayer:
        value = -math.inf
        for move in game.moves(node):
            value = max(value, minimax(game, game.result(node, move), depth - 1, False))
        return value
    value = math.inf
    for move in game.moves(node):
        value = min(value, minimax(game, game.result(node, move), depth - 1, True))
    return value
