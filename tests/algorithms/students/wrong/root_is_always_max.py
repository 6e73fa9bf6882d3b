"""The search assumes that Max is to move at the root."""


def minimax(game, s, depth):
    return value(game, s, depth, True)


def value(game, s, depth, is_max):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [value(game, game.result(s, move), depth - 1, not is_max) for move in game.moves(s)]
    return max(values) if is_max else min(values)
