"""What a position of Othello is worth, and which move to try first."""

from collections.abc import Mapping

from gamesearch.game import MAX
from gamesearch.games._shared.board_notation import square_name
from gamesearch.games.othello.position import OthelloBoard, Position
from gamesearch.optional import Patterned, Prediction, Selective
from gamesearch.toolkit.bits import Board64, popcount
from gamesearch.toolkit.boards import Place

__all__ = ["WEIGHTS", "OthelloEvaluation"]

FEW = 5
"""With so few empty squares, moves are ordered without counting replies."""
LATE = 24
"""With no more empty squares, moves are ordered for a search to the end."""
FAR_FROM_THE_END, NEAR_THE_END = (0.5, 1.0, 1.0), (0.65, 0.5, 1.3)
"""What an odd number of empty squares around, a corner, and a reply to a corner count besides, in replies."""
WEIGHTS = (0.2, 0.2, 0.5, 0.05)
"""Of the features. Near a least-squares fit to 8,569 positions of games whose endings were solved, and
adjusted by hand in matches; together less than 1, so that no estimate is as good as a win of every disc."""

PREDICTIONS = (
    Prediction(3, 1, 1.046, -0.7818, 3.702),
    Prediction(4, 2, 1.049, -0.1788, 4.026),
    Prediction(5, 1, 1.04, -0.9927, 5.293),
    Prediction(6, 2, 1.051, -0.433, 4.667),
    Prediction(7, 3, 1.066, -0.7675, 4.419),
    Prediction(8, 4, 1.082, -0.37, 4.097),
)
"""How values follow from shallower ones, for ProbCut: `gamesearch bench othello --probcut --depth 8`."""

QUIET_GAIN, CORNER_GAIN = 0.11, 0.35
"""More than this, as a part of all squares, a move hardly ever gains: 1 of 1,000 moves of random games."""


class OthelloEvaluation(OthelloBoard, Selective[Position], Patterned[Position]):
    """Features of a position, and the order of its moves."""

    feature_names = ("mobility", "potential mobility", "corners", "discs")

    def features(self, s: Position) -> tuple[float, ...]:
        """Mobility, potential mobility, corners and discs: Max's share less Min's, each from -1 to 1.

        Potential mobility is the number of empty squares beside discs of the other side, its frontier
        (Rosenbloom 1982, "A world-championship-level Othello program", Artificial Intelligence 19).
        """
        empty = self.full & ~(s.mine | s.theirs)
        sign = 1 if s.turn == MAX else -1
        return (
            sign * share(s.placements, self.placements(s.theirs, s.mine)),
            sign * share(self.beside(s.theirs) & empty, self.beside(s.mine) & empty),
            sign * (popcount(s.mine & self.corners) - popcount(s.theirs & self.corners)) / 4,
            sign * share(s.mine, s.theirs),
        )

    # Patterns. -----------------------------------------------------------------------------------
    pattern_symmetry = "square"
    stages = 6
    plays_by_learned = True

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {square: divmod(square, self.size) for square in range(self.cells)}

    def cell_name(self, cell: int) -> str:
        return square_name(cell, self.size)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """Those of Logistello: edge with X squares, rows, diagonals, and the corner as 3x3 and 5x2 squares."""
        n = self.size
        edge = (*range(n), n + 1, 2 * n - 2)
        rows = [tuple(range(n * row, n * row + n)) for row in range(1, n // 2)]
        diagonals = [tuple(i * n + i + n - length for i in range(length)) for length in range(min(4, n - 1), n + 1)]
        corners = [tuple(n * row + column for row in range(3) for column in range(3))]
        corners += [tuple(n * row + column for row in range(2) for column in range(min(5, n)))]
        return (edge, *rows, *diagonals, *corners)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        return s.mine, s.theirs

    def stage(self, s: Position) -> int:
        """By the number of discs."""
        return (popcount(s.mine | s.theirs) - 4) * self.stages // (self.cells - 3)

    def order(self, s: Position, m: int) -> float:
        # Few replies first, and those to a corner count twice or more; a corner is worth something, and so is an odd
        # number of empty squares around, of which one has the last. Far from the end, each empty square beside discs of
        # the mover counts half a reply, as later replies come from there: 7 % fewer nodes to depth 9. In searches to
        # the end it is a quarter of what the mover could do, were it to move again: FFO #42 takes 79 million nodes for
        # 100, #40 33.2 for 34.4 (the weights were chosen on #1 to #19); five positions to depth 12 took 14 % more.
        # Where few squares are empty, all this costs more than it saves.
        if m == self.passing:
            return 0.0
        empty = self.full & ~(s.mine | s.theirs)
        is_far = popcount(empty) > LATE
        odd, corner, corner_reply = FAR_FROM_THE_END if is_far else NEAR_THE_END
        quadrant = self.quadrants[m // self.size * 2 // self.size * 2 + m % self.size * 2 // self.size]
        score = odd * (popcount(empty & quadrant) & 1) + corner * popcount(self.corners & 1 << m)
        if popcount(empty) > FEW:
            after = self.result(s, m)
            replies = after.placements
            score -= popcount(replies) + corner_reply * popcount(replies & self.corners)
            if is_far:
                score -= 0.5 * popcount(self.beside(after.theirs) & empty)
            else:
                score += 0.25 * popcount(self.placements(after.theirs, after.mine))
        return score

    def most_gain(self, s: Position, m: int) -> float:
        is_corner = m != self.passing and self.corners & 1 << m != 0
        return self.cells * (CORNER_GAIN if is_corner else QUIET_GAIN)


def share(ours: int, theirs: int) -> float:
    """How many more squares are ours, as a share of both."""
    mine, other = popcount(ours), popcount(theirs)
    return (mine - other) / max(1, mine + other)
