"""English draughts, or American checkers: kings move one square, and only kings capture backward."""

from dataclasses import replace

from gamesearch.games._shared.draughts_rules import DraughtsRules
from gamesearch.toolkit.known import Known

__all__ = ["Checkers"]


class Checkers(DraughtsRules):
    """English draughts (American checkers); Black is Max and begins.

    The rules follow the World Checkers/Draughts Federation (WCDF, Rules of Draughts). Capturing is compulsory,
    and a capture must be continued to its end, but the player may choose among captures. A man that reaches the last
    row is crowned, and the move ends there. Boards with other sizes have the same rules.

    If no_progress=40, the game is drawn when each side has made 40 successive moves with kings and without a capture.
    The WCDF's rules let a player claim a draw in this case. Moves without progress are not counted by default.
    """

    palette = replace(DraughtsRules.palette, sides=DraughtsRules.palette.sides[::-1])  # Black is Max
    example = "B:W18,24,K27:B12,K16"
    weights = (0.62, 1.37, 0.002, -0.03, 0.26, 0.01, 1.03, 0.11, -0.03, 0.27)
    """The learned weights of `features`."""
    reduction_divisor = 1.5  # benchmarks/results.md, "reduction divisor"
    known = (
        Known("A. Bik, talkchess.com/forum3/viewtopic.php?t=27814",
              perft=(7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680)),
        Known("two kings win against one, counted by tests/draughts_oracle.py", position="W:WK18,K23:BK1",
              value=-100, distance=19, best=("18-14",), positions=16_923),
        Known("one king does not win against another", position="W:WK18:BK5", value=0),
        Known("counted by tests/draughts_oracle.py", "size=4", value=0, positions=2_409),
    )  # fmt: skip

    def __init__(self, size: int = 8, no_progress: int = 0) -> None:
        super().__init__(size, "B", no_progress)
