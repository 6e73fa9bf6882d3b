"""What a chess position is worth: values of the pieces, and features from the literature."""

import functools
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import chess
from chess import BLACK, PAWN, WHITE
from chess.variant import CrazyhouseBoard, ThreeCheckBoard

from gamesearch.errors import GamesearchError
from gamesearch.specification import nearest

__all__ = ["FEATURES", "VALUES", "Feature", "Values", "known_name", "read_weight"]


class Values(NamedTuple):
    """What the pieces are worth in pawns, what two bishops are worth on top, and who says so."""

    pawn: float
    knight: float
    bishop: float
    rook: float
    queen: float
    pair: float
    source: str


VALUES = {
    "standard": Values(1, 3, 3, 5, 9, 0, "the Modenese school (18th century), as in most textbooks"),
    "shannon": Values(1, 3, 3, 5, 9, 0, "C. Shannon, Programming a Computer for Playing Chess, 1949"),
    "philidor": Values(1, 3.05, 3.5, 5.48, 9.94, 0, "Philidor 1817; given by Staunton, too, in 1847"),
    "bilguer": Values(1, 3.5, 3.5, 5.7, 10.3, 0, "Bilguer 1843 (Hooper & Whyld 1992, p. 439)"),
    "euwe": Values(1, 3.5, 3.5, 5.5, 10, 0, "Euwe & Kramer, The Middlegame, 1944"),
    "lasker": Values(1, 3.5, 3.5, 5, 8.5, 0, "Lasker 1947, rounded: the wings the same"),
    "turing": Values(1, 3, 3.5, 5, 10, 0, "A. Turing, Digital Computers Applied to Games, 1953"),
    "fischer": Values(1, 3, 3.25, 5, 9, 0, "Fischer, Mosenfelder & Margulies 1972, p. 14"),
    "kaufman": Values(1, 3.25, 3.25, 5, 9.75, 0.5, "L. Kaufman, Evaluation of Material Imbalances, 1999"),
    "berliner": Values(1, 3.2, 3.33, 5.1, 8.8, 0, "H. Berliner, The System, 1999"),
    "alphazero": Values(1, 3.05, 3.33, 5.63, 9.5, 0, "Tomasev et al., arXiv:2009.04374, 2020"),
}
"""The systems of piece values, by name."""


# The features: what White has of something, less what Black has. ---------------------------------
Measure = Callable[[chess.Board, Values], float]


def for_each_side(count: Callable[[chess.Board, bool], float]) -> Measure:
    """White's count of something less Black's."""

    @functools.wraps(count)
    def difference(board: chess.Board, _: Values) -> float:
        return count(board, WHITE) - count(board, BLACK)

    return difference


def material(board: chess.Board, values: Values) -> float:
    """The pieces, by the chosen values."""
    pawn, knight, bishop, rook, queen, two_bishops, _ = values
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


def hand(board: chess.Board, values: Values) -> float:
    """The men in hand, in crazyhouse, by the chosen values."""
    if not isinstance(board, CrazyhouseBoard):
        return 0
    black, white = board.pockets
    return sum([worth * (white.count(piece) - black.count(piece)) for piece, worth in enumerate(values[:5], PAWN)])


class Feature(NamedTuple):
    """What White has of something less what Black has; what that weighs in pawns unless told; the most there can be."""

    measure: Measure
    weight: float
    most: float


FEATURES = {
    "material": Feature(material, 1, 380),  # of White's 36 pawns in Horde, all promoted
    "mobility": Feature(mobility, 0.1, 420),
    "rooks": Feature(rooks, 0.25, 16),
    "pawns": Feature(pawns, 0.2, 40),
    "castled": Feature(castled, 1, 1),
    "pair": Feature(pair, 0.5, 1),
    "check": Feature(check, 0.5, 1),
    "hill": Feature(hill, 0.5, 3),
    "race": Feature(race, 1, 7),
    "checks": Feature(checks, 2, 3),
    "hand": Feature(hand, 1, 160),
}
"""The features, by name."""


def known_name(what: str, name: str, table: Mapping[str, object]) -> str:
    """The name, if it is in the table; the error names the nearest one, or all."""
    if name in table:
        return name
    raise GamesearchError(f"no {what} are called {name!r}: {nearest(name, table)}")


def read_weight(text: str) -> tuple[str, float]:
    """A feature's name and weight from "name" or "name:weight"."""
    name, colon, number = text.strip().partition(":")
    feature = FEATURES[known_name("features", name, FEATURES)]
    try:
        weight = float(number) if colon else float(feature.weight)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise GamesearchError(f"{number!r} is not a weight for the feature {name}: write {name}:{feature.weight}")
    return name, weight
