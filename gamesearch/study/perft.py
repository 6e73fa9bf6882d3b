"""Perft: how many ways there are to play on for so many plies; the test of a move generator."""

from typing import Any

from gamesearch.algorithms.node.repetition import is_among
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES
from gamesearch.toolkit.bits import mix

__all__ = ["count_leaves"]

ENDLESS = -1
"""What is counted where moves have no end."""


@kernel
def count_leaves(game: Any, s: Any, depth: int, path: Any, counting: Any) -> int:
    """The number of move sequences of exactly `depth` plies from s; outcomes count as moves.

    `path` has room for what may not come again, from the leaves at 0 up to the root. `counting` is True where the game
    counts its moves (`questions.Counting`), and else None. Below 0 where a position has more than MOST_MOVES moves.
    """
    if depth <= 0:
        return 1
    if counting is not None and depth == 1 and game.player(s) != CHANCE:
        return int(game.count_moves(s))
    if game.terminal(s):
        return 0
    leaves = count = 0
    if game.recurrence == FORBIDDEN:
        path[depth] = mix(game.arrangement(s))
    if game.player(s) == CHANCE:
        for outcome, probability in game.outcomes(s):
            if probability <= 0.0:
                continue
            below = 1
            if depth > 1:  # the last ply is counted without being made
                below = count_leaves(game, game.result(s, outcome), depth - 1, path, counting)
            if below < 0:
                return below
            leaves += below
    else:
        for move in game.moves(s):
            count += 1
            if count > MOST_MOVES:
                return ENDLESS
            if game.recurrence == FORBIDDEN:
                key = mix(game.arrangement(game.result(s, move)))
                if key != path[depth] and is_among(path, depth + 1, len(path) - 1, key):
                    continue
            below = 1
            if depth > 1:
                below = count_leaves(game, game.result(s, move), depth - 1, path, counting)
            if below < 0:
                return below
            leaves += below
    return leaves
