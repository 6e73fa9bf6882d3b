"""Ends games that are decided, drawn or endless, by what both players think of them.

The rules ask both sides, so that one player's mistake ends no game: a game is given up, or drawn, only where the values
of both players' searches agree for several moves in a row.
"""

from typing import Any

from gamesearch.algorithms.engine.result import Value
from gamesearch.game import MAX, MIN, Game
from gamesearch.play.game_task import Terms
from gamesearch.play.match import Outcome

__all__ = ["AGREED_DRAW", "LENGTH", "RESIGNATION", "Adjudicator"]

RESIGNATION, AGREED_DRAW, LENGTH = "resignation", "draw agreed", "length"
"""Reasons why a game was ended."""


class Adjudicator:
    """Sees the value of every move of one game, and says when it is over."""

    def __init__(self, game: Game[Any], terms: Terms) -> None:
        self.terms, self.draw_value = terms, game.draw_value()
        self.values: tuple[list[float], list[float]] = ([], [])
        """The values that each side's searches found without a break, for Max, less the value of a draw."""

    def note(self, side: int, value: Value | None) -> None:
        """A side made a move, and found a value of which it is sure; a move without one breaks every agreement."""
        if value is None or isinstance(value, tuple):
            self.values[side].clear()
        else:
            self.values[side].append(value - self.draw_value)

    def verdict(self, plies: int) -> Outcome | None:
        """How a game of so many plies ends now; None where it goes on."""
        if self.terms.resign:
            moves, least = self.terms.resign
            last = self.last(moves)
            if last and min(last) >= least:
                return Outcome(MAX, RESIGNATION)
            if last and max(last) <= -least:
                return Outcome(MIN, RESIGNATION)
        if self.terms.draw and plies >= self.terms.draw[2]:
            moves, most, _ = self.terms.draw
            last = self.last(moves)
            if last and max(map(abs, last)) <= most:
                return Outcome(None, AGREED_DRAW, is_draw=True)
        return Outcome(None, LENGTH, is_draw=True) if plies >= self.terms.longest else None

    def last(self, moves: int) -> list[float]:
        """The last so many values of both sides; nothing where there are not as many yet."""
        if any(len(values) < moves for values in self.values):
            return []
        return [value for values in self.values for value in values[-moves:]]
