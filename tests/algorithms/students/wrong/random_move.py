"""A move at random."""

import random


def best_move(game, s):
    return random.choice(list(game.moves(s)))
