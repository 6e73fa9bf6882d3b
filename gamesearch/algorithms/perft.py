"""Perft: how many ways there are to play on for so many plies; the test of a move generator."""

from typing import Any

from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, Game

__all__ = ["count_leaves"]


@kernel
def count_leaves(game: Game[Any], s: Any, depth: int) -> int:
    """The number of move sequences of exactly `depth` plies from s; outcomes count as moves."""
    if depth <= 0:
        return 1
    if game.terminal(s):
        return 0
    leaves = 0
    if game.player(s) == CHANCE:
        for outcome, _ in game.outcomes(s):
            leaves += count_leaves(game, game.result(s, outcome), depth - 1)
    else:
        for move in game.moves(s):
            leaves += count_leaves(game, game.result(s, move), depth - 1)
    return leaves
