"""Positions that random moves lead to."""

import random
from typing import Any

from gamesearch.game import Game

__all__ = ["after_random_moves"]


def after_random_moves(game: Game[Any], plies: int, source: random.Random) -> tuple[list[Any], Any]:
    """A position with moves, after so many moves and outcomes by lot from the start, and those before it.

    It comes sooner where the next position would be the end of the game, or leave no move.
    """
    past, s = list[Any](), game.initial()
    while len(past) < plies and (steps := game.steps(s, past)):
        after = game.result(s, source.choice(steps))
        if game.terminal(after) or not game.steps(after, [*past, s]):
            break
        past.append(s)
        s = after
    return past, s
