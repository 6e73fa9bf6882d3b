"""What is learned of chess: what each man is worth on each square, by how many pieces are left."""

from collections.abc import Mapping

from gamesearch.games.chess.evaluation import ChessEvaluation
from gamesearch.games.chess.position import Position
from gamesearch.optional import Patterned
from gamesearch.toolkit.bits import Board64, popcount
from gamesearch.toolkit.boards import Place

__all__ = ["ChessPatterns"]

RANK_PAIRS, RANK_FOURS, RANKS = 0x00FF_00FF_00FF_00FF, 0x0000_FFFF_0000_FFFF, 0xFFFF_FFFF
PIECES = 14
"""Both sides have so many at first, from the knights to the queens."""


class ChessPatterns(ChessEvaluation, Patterned[Position]):
    """Each square is a pattern of its own: twelve kinds of men can stand on it."""

    pattern_symmetry = "sides"  # but for castling, chess is the same with its files in reverse order
    stages = 4
    plays_by_learned = True  # 57 % of 200 games of 5,000 nodes a move

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {square: divmod(square, 8) for square in range(64)}

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        return tuple((square,) for square in range(64) if square % 8 < 4)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        """Pawns, knights, bishops, rooks, queens and the king of the mover, as if he were White, then the others."""
        pawns, knights, kings, white, black = s.pawns, s.knights, s.kings, s.white, s.black
        diagonal, straight = s.diagonal, s.straight
        if s.ply & 1:
            pawns, knights, kings = mirrored(pawns), mirrored(knights), mirrored(kings)
            diagonal, straight = mirrored(diagonal), mirrored(straight)
            white, black = mirrored(black), mirrored(white)
        bishops, rooks, queens = diagonal & ~straight, straight & ~diagonal, diagonal & straight
        return (
            pawns & white, knights & white, bishops & white, rooks & white, queens & white, kings & white,
            pawns & black, knights & black, bishops & black, rooks & black, queens & black, kings & black,
        )  # fmt: skip

    def stage(self, s: Position) -> int:
        """By the pieces of both sides: the opening, two parts of the middlegame, and the endgame."""
        left = min(PIECES, popcount(s.knights | s.diagonal | s.straight))
        return (PIECES - left) * self.stages // (PIECES + 1)


def mirrored(board: int) -> int:
    """A board with its ranks in reverse order."""
    board = board >> 8 & RANK_PAIRS | (board & RANK_PAIRS) << 8
    board = board >> 16 & RANK_FOURS | (board & RANK_FOURS) << 16
    return board >> 32 & RANKS | (board & RANKS) << 32
