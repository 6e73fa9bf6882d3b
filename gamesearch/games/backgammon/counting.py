"""What stands where in backgammon, one thing at a time: blots, men on the bar, men in each part of the board."""

from gamesearch.game import MAX
from gamesearch.games._shared.members import members
from gamesearch.games.backgammon.evaluation import BackgammonEvaluation
from gamesearch.games.backgammon.position import BAR, Position
from gamesearch.toolkit.bits import popcount

__all__ = ["BackgammonCounts"]

QUARTER = 6
"""So many points are a home, or an outer board."""


class BackgammonCounts(BackgammonEvaluation):
    """Features that count men, in place of those that books weigh."""

    plays_by_learned = False  # what was learned is of a game with other parameters
    feature_names = (
        "blots", "men on the bar", "men in the own home board", "men in the own outer board",
        "men in the other's outer board", "men in the other's home board", "men borne off", "pips", "turn",
    )  # fmt: skip
    # Set by hand; td with 2,000 games finds much the same: -0.06, -0.2, 0.02, -0.01, -0.04, -0.08, 0.1, -0.014, 0.12.
    weights = (-0.05, -0.1, 0.02, 0.01, 0.0, -0.02, 0.05, -0.01, 0.1)

    def features(self, s: Position) -> tuple[float, ...]:
        """What Max has more of: blots, men on the bar, in each part of the board, and borne off; pips; the turn."""
        mine, theirs = self.counts(s.mine), self.counts(s.theirs)
        sign = 1.0 if s.turn == MAX else -1.0
        return (
            sign * (mine[0] - theirs[0]), sign * (mine[1] - theirs[1]), sign * (mine[2] - theirs[2]),
            sign * (mine[3] - theirs[3]), sign * (mine[4] - theirs[4]), sign * (mine[5] - theirs[5]),
            sign * (mine[6] - theirs[6]), sign * (mine[7] - theirs[7]), sign,
        )  # fmt: skip

    def counts(self, board: int) -> tuple[int, int, int, int, int, int, int, int]:
        """Of one side: blots, men on the bar, in its home and outer board, in the other's, borne off; and pips."""
        men = self.occupied(board)
        blots = popcount(men & self.points & ~self.made(board))
        home = outer = far_outer = far_home = pips = 0
        for bit in members(men):
            place = bit // 4
            number = int(board >> 4 * place & 15)
            pips += number * place
            if place <= QUARTER:
                home += number
            elif place <= 2 * QUARTER:
                outer += number
            elif place <= 3 * QUARTER:
                far_outer += number
            elif place < BAR:
                far_home += number
        return blots, int(board >> 4 * BAR & 15), home, outer, far_outer, far_home, int(board & 15), pips
