"""Equities (expected payoffs) with the doubling cube, by R. Janowski's model for money games and its form for matches.

R. Janowski 1993, "Take-points in money games" (bkgm.com/articles/Janowski/cubeformulae.pdf). If the cube is *dead*,
neither side doubles again, and the equity is a linear function of the chance to win. If the cube is *live*, the chances
change smoothly, so each side doubles exactly at the take point of the other side. A take point is the least chance of
winning at which a side should take. So the equity with a live cube is linear between the two take points. The estimated
equity is a weighted mean of the equities with a dead and with a live cube. The weight of the live cube is the *cube
life index*. The model assumes that the fraction of gammons among a side's wins does not change during the game. In
matches, each number of points is replaced by the chance to win the match. Take points are computed backwards from the
last double that can be useful (GNU Backgammon Manual 1.00, "Cubeful equities"). The same computation is possible in
money games, because the cube never goes beyond 64.
"""

from typing import Any, NamedTuple

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games.chance.backgammon.position import BAR
from gamesearch.games.chance.backgammon.without_cube import BackgammonWithoutCube
from gamesearch.toolkit.bits import Wide128

__all__ = ["CENTERED", "GREATEST_CUBE", "CubeEquities", "CubePosition"]

CENTERED = 2
"""If both sides may double, `owner` has this value; otherwise, it is MAX or MIN."""
GREATEST_CUBE = 64
BEFORE_CRAWFORD = (
    (50,),
    (70, 50),
    (75, 60, 50),
    (83, 68, 59, 50),
    (85, 75, 66, 58, 50),
    (90, 81, 71, 64, 57, 50),
    (91, 85, 76, 70, 63, 56, 50),
    (94, 88, 80, 75, 68, 62, 56, 50),
    (95, 91, 84, 79, 73, 67, 61, 55, 50),
    (97, 93, 87, 83, 77, 72, 66, 60, 55, 50),
    (97, 94, 90, 86, 81, 76, 70, 65, 60, 55, 50),
    (98, 95, 92, 88, 84, 79, 74, 69, 64, 60, 55, 50),
    (98, 96, 94, 90, 87, 82, 78, 73, 68, 64, 59, 54, 50),
    (99, 97, 95, 92, 89, 85, 81, 77, 72, 68, 63, 58, 54, 50),
    (99, 98, 96, 93, 90, 87, 84, 80, 76, 71, 67, 62, 58, 54, 50),
)
"""The chances to win a match, in percent (K. Woolsey 1992, Inside Backgammon 2(2)). The entry in row i and column j,
both counted from 1, is for a side that needs j points while the other side needs i points. If one side needs one point,
the next game is the Crawford game."""
AFTER_CRAWFORD = (50, 48.5, 30, 29.6, 18, 18, 10, 10, 6, 6, 4, 4, 2, 2, 1)
"""The chances to win a match after the Crawford game, in percent (Woolsey). The first entry is for a side that needs
one point, the second for a side that needs two points, and so on."""
LONGEST_MATCH = len(AFTER_CRAWFORD)
CONTACT_LIFE = 0.68
"""The cube life index while the sides can still hit each other (GNU Backgammon Manual, "Cubeful equities")."""
LEAST_LIFE, MOST_LIFE, LIFE_OF_PIP, LIFE_AT_END = 0.6, 0.7, 0.00125, 0.55
"""The parameters of the cube life index in a race (GNU Backgammon Manual). The index is LIFE_AT_END plus LIFE_OF_PIP
times the pip count of the side to roll. It is never below LEAST_LIFE (the index for 40 pips) and never above MOST_LIFE
(the index for 120 pips)."""


class CubePosition(NamedTuple):
    """A position with the cube and the score. The first four fields are the same as in `Position`, but `roll` can also
    be TO_DOUBLE (the side to move may double before it rolls) or OFFERED (the side to move has doubled)."""

    mine: Wide128
    theirs: Wide128
    turn: int
    roll: int
    cube: int
    """The value of the cube."""
    owner: int
    """The side that may double next, or CENTERED."""
    white: int
    """The points of White (Max)."""
    black: int
    """The points of Black (Min)."""
    crawford: int
    """1 in the Crawford game, in which no side may double; otherwise 0."""


class Rates(NamedTuple):
    """The chance that the side to move wins. The other fields say which fraction of its wins or losses are gammons or
    backgammons."""

    win: float
    gammons_won: float
    """The fraction of the wins that are gammons or backgammons."""
    backgammons_won: float
    gammons_lost: float
    backgammons_lost: float


class CubeEquities(BackgammonWithoutCube):
    """Computes equities of backgammon positions with a cube. `side` is 1 for the side to move, and -1 for the other
    side."""

    def __init__(self, match: int) -> None:
        super().__init__()
        if not 0 <= match <= LONGEST_MATCH:
            raise GamesearchError(f"a match of backgammon must have 1 to {LONGEST_MATCH} points, not {match}")
        self.match = match
        """The number of points that a player needs to win the match; 0 for a single game for money."""
        # The index is 16 * (points that this side needs) + (points that the other side needs).
        chances = [[0.0] * 16 for _ in range(16)]
        for theirs, row in enumerate(BEFORE_CRAWFORD, 1):
            for mine, percent in enumerate(row, 1):
                chances[mine][theirs], chances[theirs][mine] = percent / 100, 1 - percent / 100
        self.before_crawford = np.array(chances).ravel()
        self.after_crawford = np.array([1.0, *(percent / 100 for percent in AFTER_CRAWFORD)])

    # Points. --------------------------------------------------------------------------------------
    def points_needed(self, s: CubePosition, side: int) -> int:
        """The points that a side needs to win the match."""
        return self.match - int(s.white if (s.turn == MAX) == (side > 0) else s.black)

    def worth(self, s: CubePosition, points: int) -> float:
        """The value for the side to move if it wins `points` points in the present game; `points` is negative for a
        loss. In a game for money, the value is `points`. In a match, values go from -1 (a lost match) to 1 (a won
        match)."""
        if self.match == 0:
            return float(points)
        before, before_theirs = self.points_needed(s, 1), self.points_needed(s, -1)
        mine, theirs = before - max(0, points), before_theirs + min(0, points)
        if mine <= 0 or theirs <= 0:
            return 1.0 if mine <= 0 else -1.0
        if (before > 1 and before_theirs > 1) or (points == 0 and s.crawford == 1):
            chance = float(self.before_crawford[16 * mine + theirs])
        else:
            chance = float(1.0 - self.after_crawford[theirs] if mine == 1 else self.after_crawford[mine])
        return 2.0 * chance - 1.0

    def worth_to(self, s: CubePosition, side: int, points: int) -> float:
        """The value for the side `side` if this side wins `points` points."""
        return self.worth(s, points) if side > 0 else -self.worth(s, -points)

    def mean_worth(self, s: CubePosition, rates: Rates, side: int, cube: int, wins: bool) -> float:
        """The mean value of a side's wins, including gammons. If `wins` is false, the result is the mean value of the
        side's losses. The cube has the value `cube`."""
        if wins == (side > 0):
            gammons, backgammons = rates.gammons_won, rates.backgammons_won
        else:
            gammons, backgammons = rates.gammons_lost, rates.backgammons_lost
        points = cube if wins else -cube
        plain, double, triple = (
            self.worth_to(s, side, points), self.worth_to(s, side, 2 * points), self.worth_to(s, side, 3 * points)
        )  # fmt: skip
        return (1 - gammons) * plain + (gammons - backgammons) * double + backgammons * triple

    # The cube. ------------------------------------------------------------------------------------
    def can_gain(self, s: CubePosition, side: int, cube: int) -> bool:
        """Whether a side can gain by a double if the cube has the value `cube`. The side must be allowed to double, and
        must need more than `cube` points to win the match."""
        return s.crawford == 0 and cube < GREATEST_CUBE and (self.match == 0 or self.points_needed(s, side) > cube)

    def take_point(self, s: CubePosition, rates: Rates, taker: int, offered: int) -> float:
        """The take point of the side `taker`. If the side's chance to win is at least the take point, the side should
        take a live cube of the value `offered`."""
        side, cube = taker, offered
        while self.can_gain(s, side, cube):
            side, cube = -side, 2 * cube
        # One side takes the last useful double, and the game is played to the end. Each earlier double is also taken.
        # After that, the taker doubles again at the take point of the other side.
        best, reached = self.mean_worth(s, rates, side, cube, True), 1.0
        while True:
            lost = self.mean_worth(s, rates, side, cube, False)
            point = reached * (self.worth_to(s, side, -(cube // 2)) - lost) / (best - lost)
            if cube == offered:
                return point
            side, cube = -side, cube // 2
            best, reached = self.worth_to(s, side, cube), 1.0 - point

    def equity(self, s: CubePosition, rates: Rates, cube: int, owner: int) -> float:
        """The value for the side to move if this side does not double now. `cube` is the number on the cube."""
        least, greatest = self.mean_worth(s, rates, 1, cube, False), self.mean_worth(s, rates, 1, cube, True)
        win = rates.win
        dead = least + win * (greatest - least)
        low, low_worth, high, high_worth = 0.0, least, 1.0, greatest
        if owner != s.turn and self.can_gain(s, -1, cube):
            low, low_worth = self.take_point(s, rates, 1, 2 * cube), self.worth(s, -cube)
        if owner != 1 - s.turn and self.can_gain(s, 1, cube):
            high, high_worth = 1.0 - self.take_point(s, rates, -1, 2 * cube), self.worth(s, cube)
        if win < low:
            live = least + (low_worth - least) * win / low
        elif win > high:
            live = high_worth + (greatest - high_worth) * (win - high) / (1.0 - high)
        else:
            live = low_worth + (high_worth - low_worth) * (win - low) / max(high - low, 1e-9)
        life = self.cube_life(s)
        return (1.0 - life) * dead + life * live

    def cube_life(self, s: CubePosition) -> float:
        """The cube life index of a position."""
        mine, theirs, pips = 0, 0, 0
        for place in range(1, BAR + 1):
            checkers = int(s.mine >> 4 * place & 15)
            pips += place * checkers
            mine = place if checkers > 0 else mine
            theirs = place if s.theirs >> 4 * place & 15 != 0 else theirs
        if mine + theirs > BAR:
            return CONTACT_LIFE
        return max(LEAST_LIFE, min(MOST_LIFE, LIFE_AT_END + LIFE_OF_PIP * pips))

    def rates_of(self, chances: Any) -> Rates:
        """Convert the outputs of a network to rates. For each payoff except the least, the network has an output: the
        chance to get this payoff or a greater one."""
        win = max(1e-6, min(1.0 - 1e-6, float(chances[2])))
        return Rates(
            win=win,
            gammons_won=min(1.0, chances[3] / win),
            backgammons_won=min(1.0, chances[3] / win, chances[4] / win),
            gammons_lost=min(1.0, (1.0 - chances[1]) / (1.0 - win)),
            backgammons_lost=min(1.0, (1.0 - chances[1]) / (1.0 - win), (1.0 - chances[0]) / (1.0 - win)),
        )
