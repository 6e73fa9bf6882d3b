"""The board of draughts: bitboards of the dark squares, the numbers of the squares, and the numbers of positions.

Positions with few pieces are numbered for endgame databases. A layer contains all positions with the same number of
pieces. On a square of the first or last row, there are three possible pieces: a king of either side, or an uncrowned
piece of one side. On a square of any other row, four pieces are possible. Let `edge` be the number of squares in the
first and last row together, and `middle` the number of all other squares. If j of n pieces are in the first and last
row, there are C(edge, j) 3^j C(middle, n - j) 4^(n - j) ways to place the pieces. Each way to place the pieces has its
own number. On a board of 8 rows, there are 120, 6,972, 261,224, 7,092,774, ... ways to place 1, 2, 3, 4, ... pieces (R.
Lake, J. Schaeffer and P. Lu 1994, "Solving large retrograde analysis problems using a network of workstations", table
1). If Min is to move, the board is first rotated, and the colors are exchanged.
"""

from itertools import accumulate
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.cells import choose, numbered_set
from gamesearch.optional import NumberedGame
from gamesearch.toolkit.bits import BoardTable, high_bit_index, popcount, spread_bits
from gamesearch.toolkit.boards import Palette

__all__ = ["CAPTURED", "COLOURS", "SQUARE", "TARGET", "DraughtsBoard", "Position"]

SIZES = (4, 6, 8, 10)
"""The possible numbers of rows. A bitboard for 12 rows would need 77 bits, which is more than 64."""
TARGET, CAPTURED, SQUARE = 6, 12, 63
"""A move is encoded as origin | target << TARGET | captured squares << CAPTURED. The bitboard of the captured squares
has no bits for the first row, because nothing can be captured there. So a move on the largest draughts board has 56
bits."""
COLOURS = {"B": "Black", "W": "White"}
SWAPS = (
    (1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0F0F_0F0F_0F0F_0F0F),
    (8, 0x00FF_00FF_00FF_00FF), (16, 0x0000_FFFF_0000_FFFF), (32, 0xFFFF_FFFF),
)  # fmt: skip
"""Masks and shifts that reverse 64 bits: first they exchange adjacent bits, then adjacent pairs of bits, and so on."""
MOST = 8
"""Only positions with at most this number of pieces have numbers."""
WIDTH = MOST + 2
POWERS: tuple[int, ...] = (1, 3, 9, 27, 81, 243, 729, 2_187, 6_561, 19_683)
MAX_KING, MIN_KING, MAN = range(3)
"""The kinds of pieces on the first and last row. On both rows, only one side can have uncrowned pieces (MAN).
On other squares, MAN stands for an uncrowned piece of Max, and the number 3 for an uncrowned piece of Min."""
LONGEST = 1_000
"""The greatest value of `no_progress`. If each side has made `no_progress` moves without progress, the game is
drawn."""


class Position(NamedTuple):
    """Bitboards of the dark squares. After every second row, there is an unused bit. So a step in a direction is the
    same shift on every square, and a step off the board ends on an unused bit. A board with 8 rows:

            0     1     2     3
         4     5     6     7    (8)      a step down: + 4 or + 5
            9    10    11    12
        13    14    15    16    (17)     a step up: - 4 or - 5
           18    19    20    21
        22    23    24    25    (26)
           27    28    29    30
        31    32    33    34

    `kings` contains the kings of both sides. `quiet` counts the successive king moves without a capture. `quiet` is
    always 0 if `no_progress` is 0.
    """

    max_pieces: int
    min_pieces: int
    kings: int
    turn: int
    quiet: int = 0


class DraughtsBoard(NumberedGame[Position]):
    """A board with 4, 6, 8 or 10 rows. Black starts at the top and moves down; White starts at the bottom and moves up.

    The number of a position does not depend on the count of moves without progress.
    """

    numbers_are_exact = True
    unit = "pieces"
    numbers_rounds = True
    shows_captures = True
    palette = Palette(board="#e8cfa6", dark="#8f6240", sides=("#fdf8ee", "#17110b"), discs=True)

    def __init__(self, size: int, first: str, no_progress: int) -> None:
        if size not in SIZES:
            name = type(self).name
            raise GamesearchError(f"size={size} is not possible: a board of {name} must have 4, 6, 8 or 10 rows")
        if not 0 <= no_progress <= LONGEST:
            raise GamesearchError(f"no_progress={no_progress} is not a number of moves from 0 to {LONGEST}")
        self.size, self.no_progress = size, no_progress
        self.half = size // 2
        self.square_count = size * self.half
        self.most_pieces = self.half * (self.half - 1)
        self.colors = first + ("W" if first == "B" else "B")
        self.names = (COLOURS[self.colors[MAX]], COLOURS[self.colors[MIN]])
        self.row_masks = tuple(((1 << self.half) - 1) << row * self.half + row // 2 for row in range(size))
        self.full = sum(self.row_masks)
        self.bit_count = self.full.bit_length()
        down, up = (self.half, self.half + 1), (-self.half, -self.half - 1)
        self.directions = down + up
        self.forward = (down, up) if first == "B" else (up, down)
        self.first_row, *_, self.before_last_row, self.last_row = zip(*self.rows_by_player(), strict=True)
        self.edge = self.first_row[MAX] | self.last_row[MAX]
        self.middle = self.full & ~self.edge
        self.edge_squares, self.middle_squares = popcount(self.edge), popcount(self.middle)
        ways = [[self.ways_to_stand(edge, pieces - edge) for edge in range(WIDTH - 1)] for pieces in range(MOST + 1)]
        self.begins = BoardTable(begin for each in ways for begin in accumulate(each, initial=0))
        """The entry WIDTH * n + j is for positions with n pieces, of which j are on the first or last row. It is the
        number of the first such position."""

    @property
    def bottom_player(self) -> int:  # type: ignore[override]
        """The side that is drawn at the bottom. This is White, even if Black begins."""
        return self.colors.index("W")

    def rows_by_player(self) -> tuple[tuple[int, ...], ...]:
        """For each player, the masks of the rows, from the player's first row to the last."""
        rows = self.row_masks
        return (rows, rows[::-1]) if self.colors[MAX] == "B" else (rows[::-1], rows)

    def turn_around(self, squares: int) -> int:
        """Turn the squares by 180 degrees. This exchanges the sides."""
        for step, mask in SWAPS:
            squares = squares >> step & mask | (squares & mask) << step
        return squares >> 64 - self.bit_count & self.full

    # Squares are numbered from 1, row by row from the top. ---------------------------------------
    def bit_of(self, number: int) -> int:
        """The bit index of the square with a given number."""
        return number - 1 + (number - 1) // self.size

    def number_of(self, bit: int) -> int:
        """The number of a square, given the index of its bit."""
        return bit + 1 - bit // (self.size + 1)

    def place_of(self, number: int) -> tuple[int, int]:
        """The row and column of a square, both counted from 0. The square at the lower left is dark."""
        row, place = divmod(number - 1, self.half)
        return row, 2 * place + 1 - row % 2

    def numbers_in(self, squares: int) -> list[int]:
        """The numbers of the squares in a bitboard."""
        return [number for number in range(1, self.square_count + 1) if squares >> self.bit_of(number) & 1]

    # Numbers of positions. -----------------------------------------------------------------------
    def ways_to_stand(self, at_edge: int, elsewhere: int) -> int:
        """Count the ways to place `at_edge` pieces on the first and last row, and `elsewhere` pieces on the other
        rows."""
        if elsewhere < 0:
            return 0
        squares = choose(self.edge_squares, at_edge) * choose(self.middle_squares, elsewhere)
        return squares * POWERS[at_edge] * int(4**elsewhere)

    def layer(self, s: Position) -> int:
        pieces = popcount(s.max_pieces | s.min_pieces)
        return pieces if pieces <= MOST and self.no_progress == 0 else -1

    def layer_size(self, layer: int) -> int:
        if not 1 <= layer <= min(MOST, 2 * self.most_pieces) or self.no_progress > 0:
            return 0
        return int(self.begins[WIDTH * layer + layer + 1])

    def rank(self, s: Position) -> int:
        own, other, kings = s.max_pieces, s.min_pieces, s.kings
        if s.turn == MIN:
            own, other, kings = self.turn_around(other), self.turn_around(own), self.turn_around(kings)
        edge, middle = (own | other) & self.edge, (own | other) & self.middle
        number = kinds = at_edge = elsewhere = 0
        while edge:
            square = edge & -edge
            at_edge += 1
            number += choose(popcount(self.edge & square - 1), at_edge)
            kinds = 3 * kinds + (MAN if not kings & square else MAX_KING if own & square else MIN_KING)
            edge &= edge - 1
        number = number * POWERS[at_edge] + kinds
        places = kinds = 0
        while middle:
            square = middle & -middle
            elsewhere += 1
            places += choose(popcount(self.middle & square - 1), elsewhere)
            kind = MAX_KING if own & square else MIN_KING
            kinds = 4 * kinds + (kind if kings & square else kind + MAN)
            middle &= middle - 1
        begin = int(self.begins[WIDTH * (at_edge + elsewhere) + at_edge])
        return begin + (number * choose(self.middle_squares, elsewhere) + places << 2 * elsewhere) + kinds

    def unrank(self, layer: int, number: int) -> Position:
        at_edge = 0
        while number >= int(self.begins[WIDTH * layer + at_edge + 1]):
            at_edge += 1
        number -= int(self.begins[WIDTH * layer + at_edge])
        elsewhere = layer - at_edge
        ways = choose(self.middle_squares, elsewhere)
        kinds = number & (1 << 2 * elsewhere) - 1
        number >>= 2 * elsewhere
        middle = spread_bits(numbered_set(number % ways, self.middle_squares, elsewhere), self.middle)
        number //= ways
        edge_kinds, number = number % POWERS[at_edge], number // POWERS[at_edge]
        edge = spread_bits(numbered_set(number, self.edge_squares, at_edge), self.edge)
        max_pieces, kings = 0, 0
        pieces = middle | edge
        while middle:
            square = 1 << high_bit_index(middle)
            max_pieces |= square * (1 - (kinds & 1))
            kings |= square * (1 - (kinds >> 1 & 1))
            kinds >>= 2
            middle ^= square
        while edge:
            square = 1 << high_bit_index(edge)
            kind = edge_kinds % 3
            is_max = kind == MAX_KING or (kind == MAN and self.last_row[MIN] & square != 0)
            max_pieces |= square * int(is_max)
            kings |= square * int(kind != MAN)
            edge_kinds //= 3
            edge ^= square
        return Position(max_pieces, pieces & ~max_pieces, kings, MAX, 0)

    def is_numbered(self, s: Position) -> bool:
        return max(popcount(s.max_pieces), popcount(s.min_pieces)) <= self.most_pieces

    def layers_for(self, text: str) -> list[int]:
        if self.no_progress > 0:
            raise GamesearchError(f"{self.name} has no layers if no_progress is set: leave out no_progress")
        try:
            return super().layers_for(text)
        except GamesearchError:
            named = f"write the greatest number of pieces in a position, at most {min(MOST, 2 * self.most_pieces)}"
            raise GamesearchError(f"{self.name} has no layers {text!r}: {named}") from None
