"""A position of chess as boards of 64 bits."""

from typing import NamedTuple

from gamesearch.toolkit.bits import Board64

__all__ = ["PROMOTION", "Position", "piece_at"]

PROMOTION = 12
"""A move is from | to << 6 | promoted to << PROMOTION; pieces are 1 to 6, from the pawn to the king. Castling is a
move of the king by two squares, and in Chess960 onto the rook."""


class Position(NamedTuple):
    """Boards of the men by their moves and by their colour, and what else FEN says; a1 is bit 0, h8 bit 63:

          8 56 57 58 59 60 61 62 63
          :  :
          2  8  9 10 11 12 13 14 15
          1  0  1  2  3  4  5  6  7
             a  b  c  d  e  f  g  h

    Positions are equal when FEN says the same of them. What the men are worth is not kept, because piece values are
    read at run time, and positions would differ with them; to count them takes 27 % of a leaf of minimax.
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
    """The rooks that may castle."""
    checkers: Board64
    """The men that give check: they follow from the others, and almost every question asks for them."""
    en_passant: int
    """The square behind a pawn that can be captured in passing, by a legal move; else 0."""
    clock: int
    """Plies since the last capture or pawn move."""
    ply: int
    """Plies since the first move of the game, by the number of moves in FEN: even where White is to move."""
    last: int
    """The last move, which is marked on the board, of a king who castled to where he is now; -1 where there is none."""
    third: int
    """1 where the text that was read has the position for the third time."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (*self[:-2], self.third) == (*other[:-2], other.third)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-2])


def piece_at(pawns: int, knights: int, diagonal: int, straight: int, kings: int, square: int) -> int:
    """The kind of man on a square, from 1 for a pawn to 6 for a king; 0 where there is none."""
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
