"""Positions and the board of nine men's morris: rings, lines and neighbors."""

from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.board_notation import LETTERS
from gamesearch.toolkit.boards import Palette, Place

__all__ = ["FEWEST", "HAND", "NOBODY", "ORIGIN", "REMOVED", "RING", "MorrisBoard", "Position"]

RING = 8
"""The number of points of a ring. The corners of a ring have even numbers, and the midpoints odd numbers."""
FEWEST = 3
"""A side with fewer than FEWEST pieces has lost. A side with exactly FEWEST pieces may fly."""
HAND = 31
"""The value of the origin in a move that places a piece."""
NOBODY = 31
"""The value of the removed piece in a move that closes no mill."""
ORIGIN, REMOVED = 5, 10
"""A move is encoded as target | origin << ORIGIN | removed << REMOVED."""
RIGHT, DOWN = (-1, 0, 1, 1, 1, 0, -1, -1), (-1, -1, -1, 0, 1, 1, 1, 0)
"""The columns and rows of the points of a ring, relative to its center."""


class Position(NamedTuple):
    """The pieces as bitboards, and other facts about a position. Each ring of a bitboard is a byte, from the outer ring
    to the inner ring. Its bits are the points clockwise from the top left corner.

         0 ---------- 1 ---------- 2
         |   8 ------ 9 ----- 10   |
         |   |   16  17  18    |   |
         7  15   23      19   11   3
         |   |   22  21  20    |   |
         |  14 ----- 13 ----- 12   |
         6 ---------- 5 ---------- 4

    `mine` are the pieces of the side to move. `hands` is the number of pieces that both sides must still place.
    """

    mine: int
    theirs: int
    hands: int
    turn: int


class MorrisBoard(Game[Position]):
    """The board: one to three rings of eight points."""

    palette = Palette(
        "crossings", board="#c99b62", line="#4a3017", sides=("#fdf8ee", "#17110b"), discs=True, mark="#c43c2c"
    )

    def __init__(self, men: int, rings: int) -> None:
        if not 1 <= rings <= 3:
            raise GamesearchError(f"morris has 1 to 3 rings, not rings={rings}")
        if not FEWEST <= men <= 3 * rings:
            raise GamesearchError(f"morris on {rings} rings has {FEWEST} to {3 * rings} pieces a side, not men={men}")
        self.men, self.rings = men, rings
        self.points = RING * rings
        self.full = (1 << self.points) - 1
        self.first = self.full // 0xFF
        self.last = self.first << RING - 1
        self.corners, self.middles = 0x55 * self.first, 0xAA * self.first

    def row_and_column(self, point: int) -> Place:
        """The row from the top and the column of a point."""
        size, place = self.rings - point // RING, point % RING
        return self.rings + DOWN[place] * size, self.rings + RIGHT[place] * size

    def point_name(self, point: int) -> str:
        """The name of a point, such as a1 or d7."""
        row, column = self.row_and_column(point)
        return f"{LETTERS[column]}{2 * self.rings + 1 - row}"

    def clockwise(self, men: int) -> int:
        """The points after each piece moves one point clockwise along its ring."""
        return men << 1 & (self.full ^ self.first) | men >> RING - 1 & self.first

    def anticlockwise(self, men: int) -> int:
        """The points after each piece moves one point counterclockwise along its ring."""
        return men >> 1 & (self.full ^ self.last) | men << RING - 1 & self.last

    def outwards(self, men: int) -> int:
        """The points after each piece on a midpoint moves to the next outer ring."""
        return (men & self.middles) >> RING

    def inwards(self, men: int) -> int:
        """The points after each piece on a midpoint moves to the next inner ring."""
        return (men & self.middles) << RING & self.full

    def neighbors(self, men: int) -> int:
        """The points that are adjacent to the pieces."""
        return self.clockwise(men) | self.anticlockwise(men) | self.outwards(men) | self.inwards(men)

    def completing(self, men: int) -> int:
        """The points on a line whose two other points have pieces. A piece on such a point is in a mill."""
        after, before = self.clockwise(men), self.anticlockwise(men)
        corners = after & self.clockwise(after) | before & self.anticlockwise(before)
        middles = after & before
        if self.rings == 3:
            middles |= (men << RING | men >> 2 * RING) & (men << 2 * RING | men >> RING)
        return corners & self.corners | middles & self.middles
