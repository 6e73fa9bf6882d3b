"""Othello: place discs that turn over the opponent's; the most discs win."""

from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar

from gamesearch.game import MAX
from gamesearch.games.othello.ending import OthelloEnding
from gamesearch.games.othello.evaluation import PREDICTIONS, WEIGHTS, OthelloEvaluation
from gamesearch.games.othello.notation import OthelloNotation
from gamesearch.games.othello.position import SIZES, Position
from gamesearch.optional import Counting, Prediction
from gamesearch.toolkit.bits import Board64, low_bit_index, popcount
from gamesearch.toolkit.known import Known

__all__ = ["Othello"]

EVERY_SQUARE = (1 << 64) - 1


class Othello(OthelloNotation, OthelloEvaluation, OthelloEnding, Counting[Position]):
    """Place discs so that those of the opponent between two of yours turn over; Black begins.

    Who can turn over none must pass, and nobody else may; when neither can, the game is over (World
    Othello Federation, official rules). It pays the difference in discs, the empty squares being the
    winner's: the convention of WZebra and of the FFO's endgame tests.
    """

    choices: ClassVar[Mapping[str, Collection[int]]] = {"size": SIZES}
    win_or_loss = False
    whole_payoffs = True
    reads_table_late = True  # 0.9 of the time of eight positions with 18 empty squares, all moves
    suggested_algorithm = "pvs"  # 70 % of 80 games against alpha-beta, both by learned weights, 100,000 nodes a move
    suggested_order = "game+history"  # with killers 1.4 times the nodes, to depth 9
    parts_off = ("probcut",)  # 6 % fewer nodes to depth 9, but 35 % of 40 games with 5,000 nodes a move
    reduction_divisor = 1.5  # 59 % of 100 games against 2, which has 57 % against 2.5, with 10,000 nodes a move
    known = (
        Known("counted by many programs", perft=(4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288)),
        Known("counted by brute force on a grid", "size=6", perft=(4, 12, 56, 244, 1_364, 7_604, 47_740)),
        Known(
            "solved by brute force on a grid: O wins 11-3, two squares empty", "size=4",
            perft=(4, 12, 44, 128, 424, 1_256), value=-10, nodes=224_821, leaves=60_060, positions=62_789,
        ),
        Known(
            "FFO #1", position="--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
            value=18, best=("g8",), method="alphabeta",
        ),
        Known(
            "FFO #11", position="---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O",
            value=-30, best=("b3",), method="alphabeta",
        ),
    )  # fmt: skip

    def __init__(self, size: int = 8) -> None:
        super().__init__(size)
        self.MAXSCORE, self.MINSCORE = self.cells, -self.cells
        self.weights = tuple(self.cells * weight for weight in WEIGHTS)
        if size > 4:
            self.suggested_depth = 8

    def initial(self) -> Position:
        first = (self.size // 2 - 1) * (self.size + 1)
        mine, theirs = 1 << first + 1 | 1 << first + self.size, 1 << first | 1 << first + self.size + 1
        return Position(mine, theirs, MAX, self.placements(mine, theirs))

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        remaining = s.placements
        if remaining == 0:
            yield self.passing
        while remaining != 0:
            yield low_bit_index(remaining)
            remaining &= remaining - 1

    def result(self, s: Position, m: int) -> Position:
        mine, theirs = s.mine, s.theirs
        if m != self.passing:
            turned = self.turned(mine, theirs, m)
            mine |= Board64(1) << m | turned
            theirs ^= turned
        return Position(theirs, mine, 1 - s.turn, self.placements(theirs, mine))

    def terminal(self, s: Position) -> bool:
        return s.placements == 0 and self.placements(s.theirs, s.mine) == 0

    def count_moves(self, s: Position) -> int:
        return popcount(s.placements) if s.placements else 0 if self.terminal(s) else 1

    def utility(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        value = self.payoff(mine - theirs, self.cells - mine - theirs)
        return value if s.turn == MAX else -value

    # For the search. -----------------------------------------------------------------------------
    def predictions(self) -> tuple[Prediction, ...]:
        return PREDICTIONS if self.size == 8 else ()

    def key(self, s: Position) -> tuple[int, int]:
        # The squares in the middle are never empty, so that the complement is no board of discs.
        return s.mine, s.theirs if s.turn == MAX else s.theirs ^ EVERY_SQUARE

    def consistent(self, s: Position) -> bool:
        discs = s.mine | s.theirs
        is_sound = s.mine & s.theirs == 0 and discs & self.middle == self.middle and discs & ~self.full == 0
        return is_sound and s.placements == self.placements(s.mine, s.theirs)
