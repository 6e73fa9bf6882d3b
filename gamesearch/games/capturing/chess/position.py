"""Chess positions on bitboards, and the attacks of pieces. a1 is bit 0, b1 is bit 1, and h8 is bit 63.

Attacks of knights, kings and pawns come from tables of python-chess. Attacks of sliding pieces are computed by
obstruction difference (G. Isenberg and M. Hoffmann, chessprogramming wiki, "Obstruction Difference"). On a line through
a square, the pieces above the square form the number A, and the nearest piece below the square forms the number B. Some
bits of A and A - B differ: those of the two pieces nearest to the square, and all bits between these pieces. No other
bits differ. So all kinds of lines need only two tables of masks and a few instructions.
"""

from typing import NamedTuple

import chess

from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index

__all__ = [
    "BETWEEN", "KING_STEPS", "LINE", "LINES_THROUGH", "PAWN_CAPTURES", "PROMOTION", "Position",
    "attackers", "diagonal_attacks", "piece_at", "piece_attacks", "straight_attacks",
]  # fmt: skip

PROMOTION = 12
"""A move is the number `from | to << 6 | promoted piece << PROMOTION`. The numbers of the pieces are 1 to 6, from the
pawn to the king. Castling is a move of the king by two squares or, in Chess960, to the square of the rook."""


class Position(NamedTuple):
    """Bitboards of the pieces (by kind of movement, and by color), and the other fields of FEN. a1 is bit 0, h8 is bit
    63:

          8 56 57 58 59 60 61 62 63
          :  :
          2  8  9 10 11 12 13 14 15
          1  0  1  2  3  4  5  6  7
             a  b  c  d  e  f  g  h

    The sum of the piece values is not stored, because the values may change at run time.
    """

    pawns: Board64
    knights: Board64
    diagonal: Board64
    """Bishops and queens."""
    straight: Board64
    """Rooks and queens."""
    kings: Board64
    white: Board64
    black: Board64
    castling: Board64
    """The rooks that may still castle."""
    checkers: Board64
    """The pieces that give check. This field could be computed from the other fields, but most methods need it."""
    en_passant: int
    """The square behind the pawn that can be captured en passant; 0 if no en passant capture is legal."""
    clock: int
    """The number of plies since the last capture or pawn move."""
    ply: int
    """The number of plies since the start of the game, computed from the move number in FEN. `ply` is odd if Black is
    to move."""
    last: int
    """The last move, which is marked on the board; -1 if no move was made. Castling is stored as the king's actual
    move."""
    third: int
    """1 if the position was read from a list of moves in which it occurred for the third time, else 0."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (*self[:-2], self.third) == (*other[:-2], other.third)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-2])


def piece_at(pawns: int, knights: int, diagonal: int, straight: int, kings: int, square: int) -> int:
    """The kind of piece on a square, from 1 for a pawn to 6 for a king; 0 for an empty square."""
    at = 1 << square
    if pawns & at:
        return 1
    if knights & at:
        return 2
    if diagonal & at:
        return 5 if straight & at else 3
    if straight & at:
        return 4
    return 6 if kings & at else 0


SQUARES = range(64)
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The steps along a file, a rank, a diagonal and an antidiagonal. Each pair says how many ranks the step goes up, and
how many files to the right."""


def ray(square: int, up: int, right: int) -> int:
    """All squares from a square to the edge, in the direction of a step."""
    rank, file = divmod(square, 8)
    places = [(rank + up * far, file + right * far) for far in range(1, 8)]
    return sum(1 << row * 8 + column for row, column in places if 0 <= row < 8 and 0 <= column < 8)


KNIGHT_STEPS, KING_STEPS = BoardTable(chess.BB_KNIGHT_ATTACKS), BoardTable(chess.BB_KING_ATTACKS)
PAWN_CAPTURES = BoardTable([*chess.BB_PAWN_ATTACKS[chess.WHITE], *chess.BB_PAWN_ATTACKS[chess.BLACK]])
"""The squares that a pawn on square i attacks. The index is i for a white pawn, and 64 + i for a black pawn."""
BELOW = BoardTable(ray(at, -up, -right) for up, right in DIRECTIONS for at in SQUARES)
ABOVE = BoardTable(ray(at, up, right) for up, right in DIRECTIONS for at in SQUARES)
"""For each of the DIRECTIONS and each square, ABOVE contains the ray from the square to the edge. BELOW contains the
squares in the opposite direction."""

LINES_THROUGH = BoardTable(sum(BELOW[way + at] | ABOVE[way + at] for way in range(0, 256, 64)) for at in SQUARES)
"""For each square, the squares that a queen attacks from there on an empty board."""

BETWEEN = BoardTable(chess.between(one, other) for one in SQUARES for other in SQUARES)
"""The squares between squares a and b, at index 64 * a + b; empty if a and b are not on a line."""
LINE = BoardTable(chess.ray(one, other) for one in SQUARES for other in SQUARES)
"""All squares of the line through squares a and b, at index 64 * a + b."""


def along(place: int, taken: int) -> int:
    """The squares of a line, in both directions up to the nearest piece. The pieces are included. `place` is the index
    in ABOVE and BELOW."""
    below = BELOW[place] & taken
    above = ABOVE[place] & taken
    return (above ^ above - (1 << high_bit_index(below | 1))) & (BELOW[place] | ABOVE[place])


def straight_attacks(square: int, taken: int) -> int:
    """The squares that a rook on `square` attacks, given the occupied squares."""
    return along(square, taken) | along(64 + square, taken)


def diagonal_attacks(square: int, taken: int) -> int:
    """The squares that a bishop on `square` attacks, given the occupied squares."""
    return along(128 + square, taken) | along(192 + square, taken)


def piece_attacks(square: int, knights: int, diagonal: int, straight: int, taken: int) -> int:
    """The squares that the knight, bishop, rook or queen on `square` attacks."""
    at = 1 << square
    if knights & at:
        return KNIGHT_STEPS[square]
    found = Board64(0)
    if diagonal & at:
        found |= diagonal_attacks(square, taken)
    if straight & at:
        found |= straight_attacks(square, taken)
    return found


def attackers(
    pawns: int, knights: int, diagonal: int, straight: int, kings: int, square: int, taken: int, side: int
) -> int:
    """The pieces that could capture a piece of `side` on a square; side 0 is White. The result may also contain pieces
    of `side` itself, which the caller must remove."""
    return (
        PAWN_CAPTURES[64 * side + square] & pawns
        | KNIGHT_STEPS[square] & knights
        | KING_STEPS[square] & kings
        | diagonal_attacks(square, taken) & diagonal
        | straight_attacks(square, taken) & straight
    )
