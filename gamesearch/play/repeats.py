"""Recognises pairs of games that were played before, move for move: they tell nothing new of the players.

Two players who draw nothing by lot play the same game from the same opening again. Such games are not independent, and
a pair of them counts once in whatever rests on that: intervals, tests and ratings.
"""

from collections.abc import Iterable
from typing import Any

from gamesearch.play.game_task import GameRecord

__all__ = ["Repeats"]


class Repeats:
    """The pairs of a series that were looked at, in the order of their numbers."""

    def __init__(self) -> None:
        self.seen = set[frozenset[Any]]()

    def is_repeated(self, games: Iterable[GameRecord]) -> bool:
        """Whether a pair is an earlier one again, which it can be only where nothing was drawn by lot."""
        halves = tuple(games)
        if any(game.by_lot for game in halves):
            return False
        pair = frozenset(
            (each.players, each.position, each.opening, each.moves, each.winner, each.reason) for each in halves
        )
        is_known = pair in self.seen
        self.seen.add(pair)
        return is_known
