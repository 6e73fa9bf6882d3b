"""The class of backgammon, and a class with an evaluation for lectures."""

from collections.abc import Mapping
from typing import Any, ClassVar

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.games._shared.cells import members
from gamesearch.games.chance.backgammon.cube import BackgammonMatch, BackgammonWithCube
from gamesearch.games.chance.backgammon.position import BAR, Position
from gamesearch.games.chance.backgammon.without_cube import BackgammonWithoutCube
from gamesearch.optional import GameFamily
from gamesearch.toolkit.bits import popcount

__all__ = ["Backgammon"]

COUNTS = "counts"
QUARTER = 6
"""The number of points of a home board or an outer board."""


class Backgammon(BackgammonWithoutCube, GameFamily[Position]):
    """Race fifteen checkers home and bear them off; hit single checkers and block the opponent.

    The rules follow the GNU Backgammon Manual 1.00 ("Rules of the game") and tournaments in the US
    (bkgm.com/articles/Meese/Fundamentals). First, each side rolls one die. The side with the higher number begins and
    plays both numbers, so the first roll is never a double. A win pays 1. A win pays 2 if the loser has borne off no
    checker (a gammon), and 3 if the loser also has a checker on the bar or in the winner's home (a backgammon). Plays
    that lead to the same position count as one move. A player who cannot move passes.
    """

    parameters_of_others: ClassVar[Mapping[str, str]] = {
        "cube": "cube=true adds the doubling cube",
        "match": "match=5 plays a match to five points with the cube",
        "features": f"features={COUNTS} evaluates by counts of blots (single checkers), of checkers on the bar and of "
        "checkers in each part of the board",
    }

    @classmethod
    def class_for(cls, **parameters: Any) -> type[Game]:
        """The class that implements the game with the given parameters."""
        if "cube" in parameters or "match" in parameters:
            return BackgammonMatch if "match" in parameters else BackgammonWithCube
        return BackgammonByCounts if "features" in parameters else cls


class BackgammonByCounts(BackgammonWithoutCube):
    """Backgammon with an evaluation that counts the checkers in each part of the board."""

    plays_by_learned = False  # the learned weights belong to other features
    feature_names = (
        "blots", "checkers on the bar", "checkers in the home board", "checkers in the outer board",
        "checkers in the opponent's outer board", "checkers in the opponent's home board", "checkers borne off",
        "pips", "turn",
    )  # fmt: skip
    # The weights were set by hand. Temporal-difference learning with 2,000 games found similar weights: -0.06, -0.2,
    # 0.02, -0.01, -0.04, -0.08, 0.1, -0.014, 0.12.
    weights = (-0.05, -0.1, 0.02, 0.01, 0.0, -0.02, 0.05, -0.01, 0.1)

    def __init__(self, features: str = COUNTS) -> None:
        if features != COUNTS:
            raise GamesearchError(f"the parameter `features` of backgammon must be {COUNTS} or omitted, not {features}")
        super().__init__()

    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {"features": COUNTS}

    def features(self, s: Position) -> tuple[float, ...]:
        """For each value in `counts`, Max's value minus Min's value. The last feature is the side to move (1 for Max,
        -1 for Min)."""
        mine, theirs = self.counts(s.mine), self.counts(s.theirs)
        sign = 1.0 if s.turn == MAX else -1.0
        return (
            sign * (mine[0] - theirs[0]), sign * (mine[1] - theirs[1]), sign * (mine[2] - theirs[2]),
            sign * (mine[3] - theirs[3]), sign * (mine[4] - theirs[4]), sign * (mine[5] - theirs[5]),
            sign * (mine[6] - theirs[6]), sign * (mine[7] - theirs[7]), sign,
        )  # fmt: skip

    def counts(self, board: int) -> tuple[int, int, int, int, int, int, int, int]:
        """The numbers of blots, of checkers on the bar, of checkers in each quarter of the board, of checkers borne
        off, and of pips."""
        checkers = self.occupied_places(board)
        blots = popcount(checkers & self.points & ~self.made_points(board))
        home = outer = far_outer = far_home = pips = 0
        for bit in members(checkers):
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
