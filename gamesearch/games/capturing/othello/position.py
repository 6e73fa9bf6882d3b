"""Positions and the board of Othello: lines of squares, flipped discs, and the last empty squares."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.cells import TURNS, turn_cells
from gamesearch.optional import SymmetricGame
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, low_bit_index, pack_bits, popcount
from gamesearch.toolkit.boards import Palette

__all__ = ["SIZES", "OthelloBoard", "Position"]

SIZES = (4, 6, 8)
STEPS_UP = ((0, 1), (1, 0), (1, -1), (1, 1))
"""The directions, in rows and columns, that lead to squares with higher numbers. The opposite directions lead to lower
numbers."""


class Position(NamedTuple):
    """Bitboards of the discs of the side to move and of the other side. The squares of 8x8 are numbered as follows:

             a  b  c  d  e  f  g  h
          1  0  1  2  3  4  5  6  7
          2  8  9 10 11 12 13 14 15
          :  :
          8 56 57 58 59 60 61 62 63

    The squares of smaller boards are also numbered without gaps. `placements` are the legal moves of the side to move,
    computed from the discs.
    """

    mine: Board64
    theirs: Board64
    turn: int
    placements: Board64


def squares_up(start: int, through: int, step: int) -> int:
    """Start at `start`, and shift upward by `step` bits as long as each shift leads to a square of `through`. Returns
    these squares.

    The function is a Kogge-Stone fill of up to six squares, because a line has at most six squares between its ends.
    `through` must not contain squares at an edge if a step in this direction would wrap around there.
    """
    found = through & (start << step)
    found |= through & (found << step)
    pairs = through & (through << step)
    found |= pairs & (found << 2 * step)
    found |= pairs & (found << 2 * step)
    return found


def squares_down(start: int, through: int, step: int) -> int:
    """The same as `squares_up`, but shift downward."""
    found = through & (start >> step)
    found |= through & (found >> step)
    pairs = through & (through >> step)
    found |= pairs & (found >> 2 * step)
    found |= pairs & (found >> 2 * step)
    return found


OTHERS = 256
"""A number that is greater than any number of flipped discs. So one number can store the counts of both sides: it is
one count plus OTHERS times the other count."""
UNTABLED = 5
"""If at most this number of squares are empty, a new search is faster than a lookup in the transposition table."""


class OthelloBoard(SymmetricGame[Position]):
    """The board: its lines, corners and quadrants, and the discs that a move flips."""

    unit = "discs"
    palette = Palette(board="#2e8b57", line="#1d6039", sides=("#0d0d0d", "#f7f7f2"), discs=True)

    def __init__(self, size: int) -> None:
        if size not in SIZES:
            raise GamesearchError(f"size={size} is not 4, 6 or 8")
        self.size = int(size)
        self.cells = self.passing = size * size
        every, inner, ends = range(size), range(1, size - 1), (0, size - 1)
        halves = range(size // 2), range(size // 2, size)
        middle = range(size // 2 - 1, size // 2 + 1)
        self.full = self.squares(every, every)
        self.lines = (
            (1, self.squares(every, inner)),
            (size, self.squares(inner, every)),
            (size - 1, self.squares(inner, inner)),
            (size + 1, self.squares(inner, inner)),
        )
        self.rays_up = BoardTable(self.ray(square, *step) for square in range(self.cells) for step in STEPS_UP)
        self.rays_down = BoardTable(self.ray(square, -y, -x) for square in range(self.cells) for y, x in STEPS_UP)
        self.not_first_column, self.not_last_column = self.squares(every, every[1:]), self.squares(every, every[:-1])
        self.corners, self.middle = self.squares(ends, ends), self.squares(middle, middle)
        self.quadrants = BoardTable(self.squares(rows, columns) for rows in halves for columns in halves)
        rays = list(zip(self.rays_down, self.rays_up, strict=True))
        lengths = [(popcount(below), popcount(above)) for below, above in rays]
        counts: list[int] = []
        first_counts: dict[tuple[int, int], int] = {}
        for each in dict.fromkeys(lengths):
            first_counts[each] = len(counts)
            counts += flip_counts(*each)
        self.full_lines = BoardTable(below | above for below, above in rays)
        """For each square, the four lines through the square, without the square itself."""
        self.first_counts = BoardTable(first_counts[each] for each in lengths)
        """The counts of each line begin at this index of the array `flip_counts`."""
        self.flip_counts = BoardTable(counts)
        """For each line, the numbers that the function `flip_counts` yields."""

    def symmetries(self, s: Position) -> Iterator[Position]:
        for turn in range(TURNS):
            yield Position(
                turn_cells(s.mine, self.size, self.size, turn),
                turn_cells(s.theirs, self.size, self.size, turn),
                s.turn,
                turn_cells(s.placements, self.size, self.size, turn),
            )

    def squares(self, rows: Sequence[int], columns: Sequence[int]) -> int:
        """A bitboard of the squares in the given rows and columns."""
        return sum(1 << row * self.size + column for row in rows for column in columns)

    def ray(self, square: int, down: int, right: int) -> int:
        """A bitboard of all squares in one direction from a square, up to the edge."""
        row, column, found = square // self.size + down, square % self.size + right, 0
        while 0 <= row < self.size and 0 <= column < self.size:
            found |= 1 << row * self.size + column
            row, column = row + down, column + right
        return found

    def placements(self, mine: int, theirs: int) -> int:
        """The legal moves: the empty squares on which a disc of `mine` flips discs of `theirs`."""
        found = Board64(0)
        for step, inside in self.lines:
            through = theirs & inside
            found |= squares_up(mine, through, step) << step | squares_down(mine, through, step) >> step
        return found & self.full & ~(mine | theirs)

    def flipped_discs(self, mine: int, theirs: int, square: int) -> int:
        """The discs of `theirs` that a new disc of `mine` flips.

        On each ray from the square, `end` is the first square without a disc of `theirs`. On an upward ray, the carry
        of an addition finds `end`. On a downward ray, `end` is the highest bit without a disc of `theirs`. If `end` has
        no disc of `mine`, `end` becomes 0 and nothing flips. The computation has no branch that the processor could
        mispredict.
        """
        found = Board64(0)
        for i in range(4 * square, 4 * square + 4):
            ray = self.rays_up[i]
            end = (theirs | ~ray) + 1 & ray & mine
            found |= ray & end - (end != 0)
            ray = self.rays_down[i]
            end = Board64(1) << high_bit_index(ray & ~theirs | 1) & ray & mine
            found |= ray & ~(2 * end - 1)
        return found

    def add_neighbors(self, discs: int) -> int:
        """The given discs, and all squares next to them in the eight directions."""
        wide = discs | discs << 1 & self.not_first_column | discs >> 1 & self.not_last_column
        return (wide | wide << self.size | wide >> self.size) & self.full

    # Positions with one or two empty squares get exact values without a search. In a search to the end of the game,
    # more than half of all positions are of this kind.
    def payoff(self, difference: int, empty: int) -> int:
        """The payoff for a difference in discs. Empty squares count for the winner."""
        if difference == 0:
            return 0
        return difference + empty if difference > 0 else difference - empty

    def bounds(self, s: Position) -> tuple[float, float]:
        # Bounds from stable discs on the edges did not save time (benchmarks/results.md).
        empty = self.full & ~(s.mine | s.theirs)
        others = empty & empty - 1
        if empty == 0 or others & others - 1:
            return self.MINSCORE, self.MAXSCORE
        if others == 0:
            value = self.last_disc(s.mine, s.theirs, empty)
        else:
            value = self.last_two(s.mine, s.theirs, empty) if s.placements else -self.last_two(s.theirs, s.mine, empty)
        return (value, value) if s.turn == MAX else (-value, -value)

    def skips_table(self, s: Position) -> bool:
        return popcount(self.full & ~(s.mine | s.theirs)) <= UNTABLED

    def last_two(self, mine: int, theirs: int, empty: int) -> int:
        """The value of a position with two empty squares, for the side to move. This side must have a legal move."""
        best = -self.cells
        for disc in (empty & empty - 1, empty & ~(empty - 1)):
            flipped = self.flipped_discs(mine, theirs, low_bit_index(disc))
            if flipped:
                best = max(best, -self.last_disc(theirs ^ flipped, mine | flipped | disc, empty ^ disc))
        return best

    def last_disc(self, mine: int, theirs: int, empty: int) -> int:
        """The value of a position with one empty square, for the side to move. This side may have to pass."""
        first, flipped = 4 * low_bit_index(empty), 0
        difference = popcount(mine) - popcount(theirs)
        for i in range(first, first + 4):
            flipped += int(self.flip_counts[int(self.first_counts[i]) + pack_bits(mine, self.full_lines[i])])
        if flipped % OTHERS:
            return difference + 1 + 2 * (flipped % OTHERS)
        return difference - 1 - 2 * (flipped // OTHERS) if flipped else self.payoff(difference, 1)


def flip_counts(below: int, above: int) -> Iterator[int]:
    """Consider a move to the only empty square of a line. For each state of the other squares, yield a sum: the discs
    that the side to move would flip, plus OTHERS times the discs that the opponent would flip. The bits of a state are
    the discs of the side to move on the other squares, beginning with the lowest square."""
    for way in range(1 << below + above):
        discs = [way >> i & 1 for i in range(below + above)]
        rays = discs[:below][::-1], discs[below:]
        yield sum(ray.index(end) * (1 if end else OTHERS) for ray in rays for end in (0, 1) if end in ray)
