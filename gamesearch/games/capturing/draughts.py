"""International draughts: kings fly, all pieces also capture backward, and the largest capture is compulsory."""

from gamesearch.games._shared.draughts_rules import DraughtsRules
from gamesearch.toolkit.known import Known

__all__ = ["Draughts"]

DCTL = "R. Halbersma, github.com/rhalbersma/dctl"


class Draughts(DraughtsRules):
    """International draughts on 10 by 10 squares; White is Max and begins.

    The rules follow the World Draughts Federation (FMJD, Annex 1: Official rules of international draughts). A player
    must capture as many pieces as possible; a king counts as one piece. Captured pieces are removed at the end of the
    move, and no piece may be jumped twice. A man is crowned if its move ends on the last row, but not if a capture only
    passes through this row. The game with size=8 is Brazilian draughts.

    If no_progress=25, the game is drawn when each side has made 25 successive moves with kings and without a capture,
    as in the FMJD's Annex 1. The FMJD's smaller limits for a few kings against one king (16 and 5 moves) are not
    implemented. Moves without progress are not counted by default.
    """

    example = "W:W28,33,K46:B12,19,K5"
    weights = (1.23, 2.98, 0.004, 0.04, 0.15, -0.14, -0.26, -0.18, -0.12, 0.27)
    """The learned weights of `features`, divided by 1.6. So one more piece changes the evaluation by about 1."""
    kings_fly = men_capture_backwards = must_capture_most = True
    crowning_ends_capture = False
    known = (
        Known("A. Bik, aartbik.blogspot.com", perft=(9, 81, 658, 4_265, 27_117, 167_140, 1_049_442)),
        Known(f"{DCTL}, without duplicates", "size=8",
              perft=(7, 49, 302, 1_469, 7_473, 37_628, 187_302, 907_830)),
        Known(DCTL, position="B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
              perft=(14, 55, 1_168, 5_432, 87_195, 629_010)),
        Known(f"{DCTL}: I. Woldouby", position="W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38",
              perft=(6, 12, 30, 73, 215, 590, 1_944, 6_269, 22_369, 88_050, 377_436, 1_910_989)),
        Known(DCTL, position="W:WK31-50:BK1-20", perft=(17, 79, 352, 1_399, 7_062, 37_589, 217_575, 1_333_217)),
        Known(DCTL, position="W:W6-10:B41-45", perft=(9, 81, 795, 7_578, 86_351, 936_311)),
        Known("two kings do not win against one", position="W:WK1,K2:BK17", value=0),
        Known("three kings win against one, counted by tests/draughts_oracle.py", "size=8", "W:WK25,K30,K31:BK1",
              value=100, distance=21),
        Known("three kings do not win if the other king has the long diagonal", "size=8", "W:WK1,K2,K5:BK29", value=0),
        Known("counted by tests/draughts_oracle.py", "size=4", value=0, positions=4_266),
    )  # fmt: skip

    def __init__(self, size: int = 10, no_progress: int = 0) -> None:
        super().__init__(size, "W", no_progress)
