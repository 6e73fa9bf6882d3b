"""The first move."""


def best_move(game, s):
    return next(game.moves(s))
