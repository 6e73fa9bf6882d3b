"""Area scoring of Go, and what it takes to find the dead stones of a finished game."""

from collections.abc import Iterator

from gamesearch.game import MAX, MIN
from gamesearch.games._shared.flood import flooded
from gamesearch.games.go.playout import GoPlayouts
from gamesearch.games.go.position import NOWHERE, Position
from gamesearch.optional import Scored
from gamesearch.toolkit.bits import popcount

__all__ = ["GoScoring"]


class GoScoring(GoPlayouts, Scored[Position]):
    """Counts the area of each side, as it stands, and as it is where both play on at random."""

    def areas(self, s: Position) -> tuple[int, int]:
        """The points of Black and of White: stones, and what only they reach."""
        empty = self.full & ~(s.black | s.white)
        reached_by_black = flooded(self, self.neighbours(s.black) & empty, empty)
        reached_by_white = flooded(self, self.neighbours(s.white) & empty, empty)
        return s.black | reached_by_black & ~reached_by_white, s.white | reached_by_white & ~reached_by_black

    def areas_at_random(self, s: Position, seed: int) -> tuple[int, int]:
        going_on = Position(s.black, s.white, seed >> 1 & 1, 0, NOWHERE)
        return self.areas(self.random_game(going_on, seed, None, 0, True)[0])

    def groups(self, s: Position) -> Iterator[tuple[int, int]]:
        for player, stones in ((MAX, int(s.black)), (MIN, int(s.white))):
            left = stones
            while left:
                chain = int(flooded(self, left & -left, stones))
                left &= ~chain
                yield player, chain

    def touched(self, points: int) -> int:
        return self.neighbours(points)

    def without(self, s: Position, points: int) -> Position:
        return s._replace(black=s.black & ~points, white=s.white & ~points)

    def score_words(self, s: Position) -> str:
        black, white = (popcount(area) for area in self.areas(s))
        komi = f" and {abs(self.komi):g} of komi" if self.komi else ""
        return f"{self.names[MAX]} {black}{komi * (self.komi < 0)}, {self.names[MIN]} {white}{komi * (self.komi > 0)}"
