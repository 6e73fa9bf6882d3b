"""What a position on a board of python-chess is worth: the features, counted by its methods."""

import functools
import math
from collections.abc import Callable, Sequence

import chess
from chess import BLACK, PAWN, WHITE
from chess.variant import CrazyhouseBoard, ThreeCheckBoard

__all__ = ["MEASURES", "Measure"]

Measure = Callable[[chess.Board, Sequence[float]], float]
"""What White has of something less what Black has, of the board and the values of pawn to queen and bishop pair."""


def for_each_side(count: Callable[[chess.Board, bool], float]) -> Measure:
    """White's count of something less Black's."""

    @functools.wraps(count)
    def difference(board: chess.Board, _: Sequence[float]) -> float:
        return count(board, WHITE) - count(board, BLACK)

    return difference


def material(board: chess.Board, values: Sequence[float]) -> float:
    """The pieces, by the chosen values."""
    pawn, knight, bishop, rook, queen, two_bishops = values
    white = board.occupied_co[WHITE]
    pawns, knights, bishops, rooks, queens = board.pawns, board.knights, board.bishops, board.rooks, board.queens
    worth = (  # White's less Black's are twice White's less all
        pawn * (2 * (pawns & white).bit_count() - pawns.bit_count())
        + knight * (2 * (knights & white).bit_count() - knights.bit_count())
        + bishop * (2 * (bishops & white).bit_count() - bishops.bit_count())
        + rook * (2 * (rooks & white).bit_count() - rooks.bit_count())
        + queen * (2 * (queens & white).bit_count() - queens.bit_count())
    )
    return worth + two_bishops * pair(board, values) if two_bishops else worth


@for_each_side
def pieces(board: chess.Board, side: bool) -> float:
    """All men, whatever they are worth."""
    return board.occupied_co[side].bit_count()


@for_each_side
def mobility(board: chess.Board, side: bool) -> float:
    """Squares the pieces may go to (Shannon 1949); here without the pawns, the king, and pins."""
    own = board.occupied_co[side]
    pieces = chess.scan_reversed(own & ~board.pawns & ~board.kings)
    return sum([(board.attacks_mask(square) & ~own).bit_count() for square in pieces])


@for_each_side
def rooks(board: chess.Board, side: bool) -> float:
    """Rooks on open files, and half as much on half-open ones (Shannon 1949; the weight is ours)."""
    own = board.occupied_co[side]
    files = [board.pawns & chess.BB_FILES[square & 7] for square in chess.scan_reversed(own & board.rooks)]
    return sum([0.5 if pawns else 1 for pawns in files if not pawns & own])


@for_each_side
def pawns(board: chess.Board, side: bool) -> float:
    """Ranks that the pawns have advanced (Turing 1953)."""
    home = 1 if side == WHITE else 6
    own = chess.scan_reversed(board.occupied_co[side] & board.pawns)
    return sum([abs((square >> 3) - home) for square in own])


MIDDLE = tuple(chess.SquareSet(chess.BB_CENTER))
CORNERS = (
    (chess.BB_G8 | chess.BB_H8, chess.BB_A8 | chess.BB_B8 | chess.BB_C8),
    (chess.BB_G1 | chess.BB_H1, chess.BB_A1 | chess.BB_B1 | chess.BB_C1),
)
"""Black's and White's."""


@for_each_side
def castled(board: chess.Board, side: bool) -> float:
    """A king in the corner that has no rook of its own shut in there (Turing 1953)."""
    own = board.occupied_co[side]
    return sum([1 for corner in CORNERS[side] if board.kings & own & corner and not board.rooks & own & corner])


@for_each_side
def pair(board: chess.Board, side: bool) -> float:
    """Bishops on both colours (Kaufman 1999), on top of what the values give."""
    bishops = board.bishops & board.occupied_co[side]
    return 1 if bishops & chess.BB_LIGHT_SQUARES and bishops & chess.BB_DARK_SQUARES else 0


@for_each_side
def check(board: chess.Board, side: bool) -> float:
    """Giving check (Turing 1953)."""
    return 1 if side != board.turn and board.is_check() else 0


@for_each_side
def hill(board: chess.Board, side: bool) -> float:
    """Steps by which the king is nearer to the middle of the board than from its edge."""
    king = board.king(side)
    return 0 if king is None else 3 - min([chess.square_distance(king, middle) for middle in MIDDLE])


@for_each_side
def race(board: chess.Board, side: bool) -> float:
    """Ranks that the king has advanced towards the eighth."""
    king = board.king(side)
    return 0 if king is None else king >> 3


@for_each_side
def checks(board: chess.Board, side: bool) -> float:
    """Checks given so far, in three-check."""
    return 3 - board.remaining_checks[side] if isinstance(board, ThreeCheckBoard) else 0


def hand(board: chess.Board, values: Sequence[float]) -> float:
    """The men in hand, in crazyhouse, by the chosen values."""
    if not isinstance(board, CrazyhouseBoard):
        return 0
    black, white = board.pockets
    return math.fsum(
        [worth * (white.count(piece) - black.count(piece)) for piece, worth in enumerate(values[:5], PAWN)]
    )


MEASURES: dict[str, Measure] = {
    "material": material,
    "pieces": pieces,
    "mobility": mobility,
    "rooks": rooks,
    "pawns": pawns,
    "castled": castled,
    "pair": pair,
    "check": check,
    "hill": hill,
    "race": race,
    "checks": checks,
    "hand": hand,
}
"""How each feature of `features` is measured."""
