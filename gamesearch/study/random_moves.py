"""Positions that random moves lead to, and whether a move may be made."""

import random
from typing import Any

from gamesearch.algorithms.parts.recurrence import is_among
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import FORBIDDEN, Game

__all__ = ["after_random_moves", "is_open"]


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


@kernel
def is_open(game: Game[Any], s: Any, move: int, length: int, path: Any) -> bool:
    """Whether a move may be made: unless what it leads to was there before, and may not come again."""
    if game.recurrence != FORBIDDEN:
        return True
    key = mix(game.arrangement(game.result(s, move)))
    return bool(key == path[length] or not is_among(path, 0, length - 1, key))
