"""The features and piece values of chess, and functions that compute features on boards of python-chess.

A feature is computed in the same way for White and for Black. Its value is the number for White minus the number for
Black.
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import chess
from chess import BLACK, PAWN, WHITE
from chess.variant import CrazyhouseBoard, ThreeCheckBoard

from gamesearch.errors import GamesearchError
from gamesearch.specification import nearest

__all__ = ["ALIASES", "FEATURES", "KINGS", "VALUES", "known_name", "read_weight"]


class Values(NamedTuple):
    """The values of the pieces in pawns, the bonus for two bishops, and the source of these numbers."""

    pawn: float
    knight: float
    bishop: float
    rook: float
    queen: float
    pair: float
    source: str


VALUES = {
    "standard": Values(1, 3, 3, 5, 9, 0, "the Modenese school (18th century), as in most textbooks"),
    "sarratt": Values(1, 3.1, 3.3, 5, 7.9, 0, "J. H. Sarratt (?), 1813, rounded"),
    "philidor": Values(1, 3.05, 3.5, 5.48, 9.94, 0, "Philidor 1817; also in Staunton 1847"),
    "pratt": Values(1, 3, 3, 5, 10, 0, "P. Pratt, early 19th century (Hooper & Whyld 1992, p. 439)"),
    "bilguer": Values(1, 3.5, 3.5, 5.7, 10.3, 0, "Bilguer 1843 (Hooper & Whyld 1992, p. 439)"),
    "lasker1934": Values(1, 3, 3, 5, 9.5, 0, "Lasker 1934, p. 73: the queen is worth 9 to 10"),
    "euwe": Values(1, 3.5, 3.5, 5.5, 10, 0, "Euwe & Kramer, The Middlegame, 1944"),
    "lasker": Values(1, 3.5, 3.5, 5, 8.5, 0, "Lasker 1947, rounded, with equal values for both wings"),
    "shannon": Values(1, 3, 3, 5, 9, 0, "C. Shannon, Programming a Computer for Playing Chess, 1949"),
    "horowitz": Values(1, 3, 3.125, 5, 9, 0, "Horowitz 1951: a bishop is worth 3 plus a small fraction, here 1/8"),
    "turing": Values(1, 3, 3.5, 5, 10, 0, "A. Turing, Digital Computers Applied to Games, 1953"),
    "evans": Values(1, 3.5, 3.5, 5, 10, 0.5, "Evans 1958: each bishop of a pair is worth 3.75"),
    "styeklov": Values(1, 3.5, 3.5, 5, 9.5, 0, "Styeklov 1961, an early Soviet program (Soltis 2004, p. 6)"),
    "fischer": Values(1, 3, 3.25, 5, 9, 0, "Fischer, Mosenfelder & Margulies 1972, p. 14"),
    "ecc": Values(1, 3, 3, 4.5, 8.5, 0, "European Committee on Computer Chess, 1970s (Brace 1977, p. 236)"),
    "kasparov": Values(1, 3, 3, 4.5, 9, 0, "Kasparov 1986, p. 9"),
    "soviet": Values(1, 3, 3, 5, 9.5, 0, "the Soviet chess encyclopedia, 1990: the queen is worth 9 to 10"),
    "computer": Values(1, 4, 3.5, 7, 13.5, 0, "of a computer, 1992 (Hooper & Whyld, p. 439), without a bishop pair"),
    "kaufman": Values(1, 3.25, 3.25, 5, 9.75, 0.5, "L. Kaufman, Evaluation of Material Imbalances, 1999"),
    "berliner": Values(1, 3.2, 3.33, 5.1, 8.8, 0, "H. Berliner, The System, 1999"),
    "kurzdorfer": Values(1, 3.5, 3.5, 5, 9, 0, "Kurzdorfer 2003, p. 94"),
    "soltis": Values(1, 3, 3, 4.5, 9, 0, "a popular system (Soltis 2004, p. 6)"),
    "gik": Values(1, 2.4, 4, 6.4, 10.4, 0, "Y. Gik, computed from average mobility (Soltis 2004, pp. 10-12)"),
    "alphazero": Values(1, 3.05, 3.33, 5.63, 9.5, 0, "Tomasev et al., arXiv:2009.04374, 2020"),
}
"""For each name, a system of piece values."""
KINGS = {"shannon": 200, "lasker1934": 4, "evans": 4}
"""The value of the king in some systems. Shannon gives the king more than all other pieces together. The other values
show the king's strength in the endgame."""
ALIASES = {"lasker1947": "lasker"}
"""Aliases of the names of systems of piece values."""


Measure = Callable[[chess.Board, Sequence[float]], float]
"""A function that computes a feature. Its arguments are a board and a list of values: one for each kind of piece from
pawn to queen, and one for the bishop pair."""


def for_each_side(count: Callable[[chess.Board, bool], float]) -> Measure:
    """Turn a count for one side into a feature: White's count minus Black's."""

    @functools.wraps(count)
    def difference(board: chess.Board, _: Sequence[float]) -> float:
        return count(board, WHITE) - count(board, BLACK)

    return difference


def material(board: chess.Board, values: Sequence[float]) -> float:
    """The total value of White's pieces minus the total value of Black's."""
    pawn, knight, bishop, rook, queen, two_bishops = values
    white = board.occupied_co[WHITE]
    pawns, knights, bishops, rooks, queens = board.pawns, board.knights, board.bishops, board.rooks, board.queens
    worth = (  # White minus Black is computed as twice White minus both
        pawn * (2 * (pawns & white).bit_count() - pawns.bit_count())
        + knight * (2 * (knights & white).bit_count() - knights.bit_count())
        + bishop * (2 * (bishops & white).bit_count() - bishops.bit_count())
        + rook * (2 * (rooks & white).bit_count() - rooks.bit_count())
        + queen * (2 * (queens & white).bit_count() - queens.bit_count())
    )
    return worth + two_bishops * pair(board, values) if two_bishops else worth


@for_each_side
def pieces(board: chess.Board, side: bool) -> float:
    """The number of pieces, regardless of their values."""
    return board.occupied_co[side].bit_count()


@for_each_side
def mobility(board: chess.Board, side: bool) -> float:
    """The number of moves of knights, bishops, rooks and queens (Shannon 1949), ignoring pins."""
    own = board.occupied_co[side]
    pieces = chess.scan_reversed(own & ~board.pawns & ~board.kings)
    return sum([(board.attacks_mask(square) & ~own).bit_count() for square in pieces])


@for_each_side
def rooks(board: chess.Board, side: bool) -> float:
    """The number of rooks on open files, plus half the number on half-open files (Shannon 1949; the factor 1/2 is our
    choice)."""
    own = board.occupied_co[side]
    files = [board.pawns & chess.BB_FILES[square & 7] for square in chess.scan_reversed(own & board.rooks)]
    return sum([0.5 if pawns else 1 for pawns in files if not pawns & own])


@for_each_side
def pawns(board: chess.Board, side: bool) -> float:
    """The total number of ranks that the pawns have advanced (Turing 1953)."""
    home = 1 if side == WHITE else 6
    own = chess.scan_reversed(board.occupied_co[side] & board.pawns)
    return sum([abs((square >> 3) - home) for square in own])


MIDDLE = tuple(chess.SquareSet(chess.BB_CENTER))
CORNERS = (
    (chess.BB_G8 | chess.BB_H8, chess.BB_A8 | chess.BB_B8 | chess.BB_C8),
    (chess.BB_G1 | chess.BB_H1, chess.BB_A1 | chess.BB_B1 | chess.BB_C1),
)
"""The squares near the two corners of a side's first rank, for Black and then for White."""


@for_each_side
def castled(board: chess.Board, side: bool) -> float:
    """1 if the king is near a corner and does not lock in its own rook (Turing 1953), else 0."""
    own = board.occupied_co[side]
    return sum([1 for corner in CORNERS[side] if board.kings & own & corner and not board.rooks & own & corner])


@for_each_side
def pair(board: chess.Board, side: bool) -> float:
    """1 if there are bishops on squares of both colors, else 0 (Kaufman 1999)."""
    bishops = board.bishops & board.occupied_co[side]
    return 1 if bishops & chess.BB_LIGHT_SQUARES and bishops & chess.BB_DARK_SQUARES else 0


@for_each_side
def check(board: chess.Board, side: bool) -> float:
    """1 if the side gives check, else 0 (Turing 1953)."""
    return 1 if side != board.turn and board.is_check() else 0


@for_each_side
def hill(board: chess.Board, side: bool) -> float:
    """Three minus the number of king moves to the nearest center square."""
    king = board.king(side)
    return 0 if king is None else 3 - min([chess.square_distance(king, middle) for middle in MIDDLE])


@for_each_side
def race(board: chess.Board, side: bool) -> float:
    """The number of ranks that the king has advanced towards the eighth rank."""
    king = board.king(side)
    return 0 if king is None else king >> 3


@for_each_side
def checks(board: chess.Board, side: bool) -> float:
    """The number of checks that the side has given so far, for three-check."""
    return 3 - board.remaining_checks[side] if isinstance(board, ThreeCheckBoard) else 0


def hand(board: chess.Board, values: Sequence[float]) -> float:
    """The value of White's pieces in hand minus the value of Black's pieces in hand (only in crazyhouse)."""
    if not isinstance(board, CrazyhouseBoard):
        return 0
    black, white = board.pockets
    return math.fsum(
        [worth * (white.count(piece) - black.count(piece)) for piece, worth in enumerate(values[:5], PAWN)]
    )


class Feature(NamedTuple):
    """A feature: its default weight in pawns, its greatest value, and the function that computes its value on a
    board."""

    weight: float
    most: float
    measure: Measure


FEATURES = {
    "material": Feature(1, 380, material),  # White's 36 pawns in Horde, all promoted
    "pieces": Feature(1, 36, pieces),
    "mobility": Feature(0.1, 420, mobility),
    "rooks": Feature(0.25, 16, rooks),
    "pawns": Feature(0.2, 40, pawns),
    "castled": Feature(1, 1, castled),
    "pair": Feature(0.5, 1, pair),
    "check": Feature(0.5, 1, check),
    "hill": Feature(0.5, 3, hill),
    "race": Feature(1, 7, race),
    "checks": Feature(2, 3, checks),
    "hand": Feature(1, 160, hand),
}
"""All features by name."""


def known_name(what: str, name: str, table: Mapping[str, object]) -> str:
    """Return the name if the table contains it; otherwise raise an error with the most similar name or all names."""
    if name in table:
        return name
    raise GamesearchError(f"unknown {what} {name!r}: {nearest(name, table)}")


def read_weight(text: str) -> tuple[str, float]:
    """Parse the name and the weight of a feature from "name" or "name:weight"."""
    name, colon, number = text.strip().partition(":")
    feature = FEATURES[known_name("feature", name, FEATURES)]
    try:
        weight = float(number) if colon else float(feature.weight)
    except ValueError:
        weight = math.nan
    if not math.isfinite(weight):
        raise GamesearchError(f"{number!r} is not a weight for the feature {name}: write {name}:{feature.weight}")
    return name, weight
