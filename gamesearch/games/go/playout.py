"""Random games of Go, played on the boards alone."""

from gamesearch.bits import Wide128, mix, popcount
from gamesearch.game import MAX
from gamesearch.games.go.position import NOWHERE, GoBoard, Position
from gamesearch.questions import PlayedOut

__all__ = ["GoPlayouts"]

LONGEST = 3
"""A game is counted as it stands after so many moves for each point."""


class GoPlayouts(GoBoard, PlayedOut[Position]):
    """Plays to a random end by moves that are equally likely, but no eye of one's own is filled, only ko is forbidden
    in place of superko, and nobody passes who has another move.

    So games end in some hundred moves, with eyes in place of boards that are filled and taken again and again.
    """

    def random_payoff(self, s: Position, seed: int) -> float:
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        turn, ko, passes = s.turn, s.ko, s.passes
        for _ in range(LONGEST * self.size * self.size):
            if passes == 2:
                break
            seed = mix(seed + 1)
            point = self.random_point(mine, theirs, ko, seed)
            if point == self.pass_move:
                passes, ko = passes + 1, NOWHERE
            else:
                stone, before = Wide128(1) << point, theirs
                mine, theirs = self.after_stone(mine, theirs, stone)
                passes, ko = 0, self.point_of_ko(stone, mine, theirs, before)
            mine, theirs, turn = theirs, mine, 1 - turn
        black, white = (mine, theirs) if turn == MAX else (theirs, mine)
        return float(self.utility(Position(black, white, turn, 2, NOWHERE)))

    def random_point(self, mine: int, theirs: int, ko: int, seed: int) -> int:
        """A random point to play on: drawn again where one cannot be, and, after many, the next one that can."""
        count = self.size * self.size
        point = 0
        for _ in range(count):
            seed += 1
            point = (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * count >> 32
            if self.is_sensible(mine, theirs, ko, point // self.size * self.width + point % self.size):
                return point // self.size * self.width + point % self.size
        for _ in range(count):
            point = (point + 1) % count
            if self.is_sensible(mine, theirs, ko, point // self.size * self.width + point % self.size):
                return point // self.size * self.width + point % self.size
        return self.pass_move

    def is_sensible(self, mine: int, theirs: int, ko: int, point: int) -> bool:
        """Whether a stone may be put on a point, and fills no eye of its own side."""
        stone = Wide128(1) << point
        if (mine | theirs) & stone != 0 or point == ko:
            return False
        around = self.neighbours(stone)
        if around & ~(mine | theirs) != 0:
            return True
        if around & ~mine == 0 and self.is_eye(theirs, stone):
            return False
        return self.after_stone(mine, theirs, stone)[0] & stone != 0

    def is_eye(self, theirs: int, stone: int) -> bool:
        """Whether the opponent has no more than one of the four corners around a point, or none at the edge."""
        up, down = stone << self.width, stone >> self.width
        corners = (up << 1 | up >> 1 | down << 1 | down >> 1) & self.full
        return popcount(corners & theirs) <= (1 if popcount(corners) == 4 else 0)
