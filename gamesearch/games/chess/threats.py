"""What a selective search asks of chess: checks, what a capture brings in, and what passing leads to."""

from gamesearch.games.chess.evaluation import ChessEvaluation
from gamesearch.games.chess.position import PROMOTION, Position, piece_at
from gamesearch.questions import Selective

__all__ = ["ChessThreats"]

POSITIONAL = 1.0
"""More than this, in pawns, a quiet move hardly ever changes what is not material."""


class ChessThreats(ChessEvaluation, Selective[Position]):
    """Check is a threat that must be met; and to have to move is bad only for who has at most one piece."""

    passing_never_helps = True

    def is_threatened(self, s: Position) -> bool:
        return s.checkers != 0

    def most_gain(self, s: Position, m: int) -> float:
        """The man captured and the piece promoted to; and where not material alone counts, a pawn."""
        if self.place_of_material < 0:
            return float(self.MAXSCORE - self.MINSCORE)
        start, to, promoted = m & 63, m >> 6 & 63, m >> PROMOTION
        gain = 0.0
        if promoted:
            gain += self.worths[promoted - 1] - self.worths[0]
        if self.is_taking(s, to):
            captured = piece_at(s.pawns, s.knights, s.diagonal, s.straight, s.kings, to)
            gain += self.worths[captured - 1] + self.worths[5]
        elif s.en_passant != 0 and to == s.en_passant and s.pawns & 1 << start:
            gain += self.worths[0]
        gain *= self.weights[self.place_of_material]
        return gain if len(self.zeros) == 1 else gain + POSITIONAL

    def passed(self, s: Position) -> Position:
        # With the clock at 0, as after progress, no position from before can come again.
        return Position(
            s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.white, s.black, s.castling,
            s.checkers, 0, 0, s.ply + 1, -1, 0,
        )  # fmt: skip

    def is_zugzwang_near(self, s: Position) -> bool:
        own = s.white if s.ply & 1 == 0 else s.black
        pieces = (s.knights | s.diagonal | s.straight) & own
        return pieces & pieces - 1 == 0  # such as the bishop that Morphy's problem shuts in
