"""What men attack on a board of 64 bits, a1 being bit 0, b1 bit 1 and h8 bit 63.

Knights, kings and pawns are looked up, in tables of python-chess. Lines are found by obstruction difference
(G. Isenberg and M. Hoffmann, chessprogramming wiki, "Obstruction Difference"): of a line through a square, subtracting
the nearest man below the square from the men above it changes just the bits up to the nearest man above. It takes two
tables of masks and a handful of instructions, the same for all four directions of a line.
"""

import chess

from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index

__all__ = [
    "BETWEEN",
    "KING_STEPS",
    "KNIGHT_STEPS",
    "LINE",
    "LINES_THROUGH",
    "PAWN_CAPTURES",
    "attackers",
    "diagonal_attacks",
    "piece_attacks",
    "straight_attacks",
]

SQUARES = range(64)
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Ranks and files from one square to the next of a file, a rank, a diagonal and an antidiagonal, all upwards."""


def ray(square: int, up: int, right: int) -> int:
    """The squares in one direction from a square."""
    rank, file = divmod(square, 8)
    places = [(rank + up * far, file + right * far) for far in range(1, 8)]
    return sum(1 << row * 8 + column for row, column in places if 0 <= row < 8 and 0 <= column < 8)


KNIGHT_STEPS, KING_STEPS = BoardTable(chess.BB_KNIGHT_ATTACKS), BoardTable(chess.BB_KING_ATTACKS)
PAWN_CAPTURES = BoardTable([*chess.BB_PAWN_ATTACKS[chess.WHITE], *chess.BB_PAWN_ATTACKS[chess.BLACK]])
"""What a pawn on a square attacks: of White at 0 to 63, of Black at 64 to 127."""
BELOW = BoardTable(ray(at, -up, -right) for up, right in DIRECTIONS for at in SQUARES)
ABOVE = BoardTable(ray(at, up, right) for up, right in DIRECTIONS for at in SQUARES)
"""The squares of a line through a square that have lower and higher numbers: the files first, at 0 to 63."""

LINES_THROUGH = BoardTable(sum(BELOW[way + at] | ABOVE[way + at] for way in range(0, 256, 64)) for at in SQUARES)
"""What a queen attacks on an empty board."""


BETWEEN = BoardTable(chess.between(one, other) for one in SQUARES for other in SQUARES)
"""The squares between two squares of a line, if there is one: of squares a and b, at 64 * a + b."""
LINE = BoardTable(chess.ray(one, other) for one in SQUARES for other in SQUARES)
"""All squares of the line through two squares, likewise."""


def along(place: int, taken: int) -> int:
    """The squares up to the nearest men on both sides of a line, these included; `place` is that of the masks."""
    below = BELOW[place] & taken
    above = ABOVE[place] & taken
    return (above ^ above - (1 << high_bit_index(below | 1))) & (BELOW[place] | ABOVE[place])


def straight_attacks(square: int, taken: int) -> int:
    """What a rook attacks where some squares are taken."""
    return along(square, taken) | along(64 + square, taken)


def diagonal_attacks(square: int, taken: int) -> int:
    """What a bishop attacks where some squares are taken."""
    return along(128 + square, taken) | along(192 + square, taken)


def piece_attacks(square: int, knights: int, diagonal: int, straight: int, taken: int) -> int:
    """What the knight, bishop, rook or queen on a square attacks."""
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
    """The men of either colour that attack a square, but for pawns of `side`, 0 for White."""
    return (
        PAWN_CAPTURES[64 * side + square] & pawns
        | KNIGHT_STEPS[square] & knights
        | KING_STEPS[square] & kings
        | diagonal_attacks(square, taken) & diagonal
        | straight_attacks(square, taken) & straight
    )
