"""The board of draughts: bitboards of the dark squares, and the numbers of the squares."""

from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
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
LONGEST = 1_000
"""The greatest value of `no_progress`. The game is drawn after `no_progress` moves of each side without progress."""


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


class DraughtsBoard(Game[Position]):
    """A board with 4, 6, 8 or 10 rows. Black starts at the top and moves down, White moves up."""

    unit = "pieces"
    numbers_rounds = True
    shows_captures = True
    palette = Palette(board="#e8cfa6", dark="#8f6240", sides=("#fdf8ee", "#17110b"), discs=True)

    def __init__(self, size: int, first: str, no_progress: int) -> None:
        if size not in SIZES:
            raise GamesearchError(f"size={size} is not possible: a board of {type(self).name} has 4, 6, 8 or 10 rows")
        if not 0 <= no_progress <= LONGEST:
            raise GamesearchError(
                f"no_progress={no_progress} is not between 0 and {LONGEST}, the limits for the moves of each side"
            )
        self.size, self.no_progress = size, no_progress
        self.half = size // 2
        self.square_count = size * self.half
        self.most_pieces = self.half * (self.half - 1)
        self.colours = first + ("W" if first == "B" else "B")
        self.names = (COLOURS[self.colours[MAX]], COLOURS[self.colours[MIN]])
        self.row_masks = tuple(((1 << self.half) - 1) << row * self.half + row // 2 for row in range(size))
        self.full = sum(self.row_masks)
        self.bit_count = self.full.bit_length()
        down, up = (self.half, self.half + 1), (-self.half, -self.half - 1)
        self.directions = down + up
        self.forward = (down, up) if first == "B" else (up, down)
        self.first_row, *_, self.before_last_row, self.last_row = zip(*self.rows_by_player(), strict=True)

    @property
    def bottom_player(self) -> int:  # type: ignore[override]
        """The side that is drawn at the bottom: White, whichever side begins."""
        return self.colours.index("W")

    def rows_by_player(self) -> tuple[tuple[int, ...], ...]:
        """For each player, the masks of the rows, from the player's first row to the last."""
        rows = self.row_masks
        return (rows, rows[::-1]) if self.colours[MAX] == "B" else (rows[::-1], rows)

    def turn_around(self, squares: int) -> int:
        """The squares after turning the board by 180 degrees, which exchanges the sides."""
        for step, mask in SWAPS:
            squares = squares >> step & mask | (squares & mask) << step
        return squares >> 64 - self.bit_count & self.full

    # Squares are numbered from 1, row by row from the top. ---------------------------------------
    def bit_of(self, number: int) -> int:
        """The index of the bit of a square, given the number of the square."""
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
