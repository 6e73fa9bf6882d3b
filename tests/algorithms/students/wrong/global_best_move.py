"""The best move and its value are global variables, which are not reset before the next search."""

import math

from gamesearch import MAX

best_value, best_move = -math.inf, None


def search_move(game, s):
    global best_value, best_move
    sign = 1 if game.player(s) == MAX else -1
    for move in game.moves(s):
        value = sign * minimax(game, game.result(s, move))
        if value > best_value or best_move not in game.moves(s):
            best_value, best_move = value, move
    return best_move


def minimax(game, s):
    if game.terminal(s):
        return game.utility(s)
    values = [minimax(game, game.result(s, move)) for move in game.moves(s)]
    return max(values) if game.player(s) == MAX else min(values)
