"""What a position of nine men's morris is worth, and which move to try first."""

from gamesearch.bits import popcount
from gamesearch.game import CAPTURE, FORWARD, MAX
from gamesearch.games.morris.position import NOBODY, REMOVED, RING, MorrisBoard, Position
from gamesearch.questions import Selective

__all__ = ["MorrisEvaluation"]

POSITIONAL = 1.5
"""More than this, in men, hardly any move gains that takes no man: 1 of 1,000 moves of random games."""


class MorrisEvaluation(MorrisBoard, Selective[Position]):
    """Features of a position, and the order of its moves."""

    # Set by hand, with a man for the unit: men, mills, lines to close, double mills, mobility, blocked men.
    weights = (1.0, 0.25, 0.375, 0.75, 0.0625, -0.125)
    feature_names = ("men", "mills", "lines to close", "double mills", "steps", "blocked men")

    def features(self, s: Position) -> tuple[float, ...]:
        """What Max has more than Min: men, mills, lines to close, double mills, steps, blocked men."""
        free = self.full ^ (s.mine | s.theirs)
        sign = 1.0 if s.turn == MAX else -1.0
        mine, theirs = s.mine, s.theirs
        return (
            sign * (popcount(mine) - popcount(theirs) + (s.hands & 1)),
            sign * (self.mills(mine) - self.mills(theirs)),
            sign * (popcount(self.completing(mine) & free) - popcount(self.completing(theirs) & free)),
            sign * (self.double_mills(mine, free) - self.double_mills(theirs, free)),
            sign * (self.mobility(mine, free) - self.mobility(theirs, free)),
            sign * (popcount(mine & ~self.neighbours(free)) - popcount(theirs & ~self.neighbours(free))),
        )

    def mills(self, men: int) -> int:
        """How many lines the men fill."""
        sides = men & self.clockwise(men) & self.anticlockwise(men) & self.middles
        spokes = men & men >> RING & men >> 2 * RING & self.middles
        return popcount(sides) + popcount(spokes)

    def double_mills(self, men: int, free: int) -> int:
        """How many men leave a mill for another with one step, and can go to and fro."""
        count = 0
        inside = men & self.completing(men)
        while inside:
            man = inside & -inside
            inside ^= man
            count += popcount(self.neighbours(man) & free & self.completing(men ^ man))
        return count

    def mobility(self, men: int, free: int) -> int:
        """How many steps along lines the men have."""
        rounds = popcount(self.clockwise(men) & free) + popcount(self.anticlockwise(men) & free)
        return rounds + popcount(self.outwards(men) & free) + popcount(self.inwards(men) & free)

    def order(self, s: Position, m: int) -> float:
        """Mills first, then what keeps the other side from one."""
        if m >> REMOVED != NOBODY:
            return 2
        return self.completing(s.theirs) >> (m & 31) & 1

    def kind_of_move(self, s: Position, m: int) -> int:
        return CAPTURE if m >> REMOVED != NOBODY else FORWARD

    def most_gain(self, s: Position, m: int) -> float:
        """A mill brings in a man, and stands for itself."""
        return POSITIONAL + self.weights[0] + self.weights[1] if m >> REMOVED != NOBODY else POSITIONAL
