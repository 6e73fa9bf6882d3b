"""Perft: how many ways there are to play on for so many plies; the test of a move generator."""

from typing import Any

from gamesearch.algorithms.parts.recurrence import is_among
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, Game

__all__ = ["count_leaves"]

ENDLESS = -1
"""What is counted where moves have no end."""


@kernel
def count_leaves(game: Game[Any], s: Any, depth: int, path: Any) -> int:
    """The number of move sequences of exactly `depth` plies from s; outcomes count as moves.

    `path` has room for what may not come again, from the leaves at 0 up to the root. Below 0 where a
    position has more than MOST_MOVES moves.
    """
    if depth <= 0:
        return 1
    if game.terminal(s):
        return 0
    leaves = count = 0
    if game.recurrence == FORBIDDEN:
        path[depth] = mix(game.arrangement(s))
    if game.player(s) == CHANCE:
        for outcome, _ in game.outcomes(s):
            after = game.result(s, outcome)
            below = count_leaves(game, after, depth - 1, path) if depth > 1 else 1  # a call less for each leaf
            if below < 0:
                return below
            leaves += below
    else:
        for move in game.moves(s):
            count += 1
            if count > MOST_MOVES:
                return ENDLESS
            after = game.result(s, move)
            if game.recurrence == FORBIDDEN:
                key = mix(game.arrangement(after))
                if key != path[depth] and is_among(path, depth + 1, len(path) - 1, key):
                    continue
            below = count_leaves(game, after, depth - 1, path) if depth > 1 else 1
            if below < 0:
                return below
            leaves += below
    return leaves
