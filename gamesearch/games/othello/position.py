"""A position of Othello and its board: lines of squares, which discs a move turns over, and the last empty squares."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.cells import TURNS, turned
from gamesearch.optional import Symmetric
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, low_bit_index, packed, popcount
from gamesearch.toolkit.boards import Palette

__all__ = ["SIZES", "OthelloBoard", "Position"]

SIZES = (4, 6, 8)
STEPS_UP = ((0, 1), (1, 0), (1, -1), (1, 1))
"""The four directions that lead to higher squares, in rows and columns; the other four lead back."""


class Position(NamedTuple):
    """Bitboards of the discs of the side to move and of the other side; the layout of 8x8 is

             a  b  c  d  e  f  g  h
          1  0  1  2  3  4  5  6  7
          2  8  9 10 11 12 13 14 15
          :  :
          8 56 57 58 59 60 61 62 63

    and smaller boards are packed alike.
    `placements` follow from the discs: the legal moves of the side to move.
    """

    mine: Board64
    theirs: Board64
    turn: int
    placements: Board64


def squares_up(start: int, through: int, step: int) -> int:
    """The squares of `through` that are reached from the start over such squares only, each `step` bits up.

    A Kogge-Stone fill of six squares: as many as lie between the ends of the longest line. `through`
    is without the edge that lines end at, so that nothing is carried around it.
    """
    found = through & (start << step)
    found |= through & (found << step)
    pairs = through & (through << step)
    found |= pairs & (found << 2 * step)
    found |= pairs & (found << 2 * step)
    return found


def squares_down(start: int, through: int, step: int) -> int:
    """The same, each `step` bits down."""
    found = through & (start >> step)
    found |= through & (found >> step)
    pairs = through & (through >> step)
    found |= pairs & (found >> 2 * step)
    found |= pairs & (found >> 2 * step)
    return found


OTHERS = 256
"""More discs than a move can turn over, so that one sum counts the discs of both sides."""
UNTABLED = 5
"""With so few empty squares, searching again takes less time than a look into the transposition table."""


class OthelloBoard(Symmetric[Position]):
    """The board: its lines, corners and quadrants, and what a disc turns over."""

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
            counts += counts_turned(*each)
        self.full_lines = BoardTable(below | above for below, above in rays)
        """The four lines through each square, without the square."""
        self.first_counts = BoardTable(first_counts[each] for each in lengths)
        """Where the counts of each line begin in `counts_turned`."""
        self.counts_turned = BoardTable(counts)
        """How many discs a move turns over in one line, by the discs on that line."""

    def symmetries(self, s: Position) -> Iterator[Position]:
        for turn in range(TURNS):
            yield Position(
                turned(s.mine, self.size, self.size, turn),
                turned(s.theirs, self.size, self.size, turn),
                s.turn,
                turned(s.placements, self.size, self.size, turn),
            )

    def squares(self, rows: Sequence[int], columns: Sequence[int]) -> int:
        """The board of the squares in some rows and columns."""
        return sum(1 << row * self.size + column for row in rows for column in columns)

    def ray(self, square: int, down: int, right: int) -> int:
        """The board of the squares from a square on in one direction, to the edge."""
        row, column, found = square // self.size + down, square % self.size + right, 0
        while 0 <= row < self.size and 0 <= column < self.size:
            found |= 1 << row * self.size + column
            row, column = row + down, column + right
        return found

    def placements(self, mine: int, theirs: int) -> int:
        """The legal moves: the empty squares on which a disc of mine turns over some of theirs."""
        found = Board64(0)
        for step, inside in self.lines:
            through = theirs & inside
            found |= squares_up(mine, through, step) << step | squares_down(mine, through, step) >> step
        return found & self.full & ~(mine | theirs)

    def turned(self, mine: int, theirs: int, square: int) -> int:
        """The discs of theirs that a new disc of mine turns over.

        Upwards, a carry runs over their discs to the first square of a ray that is not theirs; downwards, that square
        is the highest. Where the ray ends in no disc of mine, `end` is 0 and nothing is turned over, without a branch
        that the processor would have to guess.
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

    def beside(self, discs: int) -> int:
        """The discs and the squares next to them, in all eight directions."""
        wide = discs | discs << 1 & self.not_first_column | discs >> 1 & self.not_last_column
        return (wide | wide << self.size | wide >> self.size) & self.full

    # The last empty squares: exact values without a search. ----------------------------------------
    # More than half of the positions of a search to the end have one or two empty squares.
    def payoff(self, difference: int, empty: int) -> int:
        """A difference in discs, with the empty squares for the winner."""
        if difference == 0:
            return 0
        return difference + empty if difference > 0 else difference - empty

    def bounds(self, s: Position) -> tuple[float, float]:
        # (Discs that are stable on the edges were tried: 1.5 % fewer nodes, each slower by a tenth.)
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
        """The value for the side to move, which has a move, with two empty squares."""
        best = -self.cells
        for disc in (empty & empty - 1, empty & ~(empty - 1)):
            turned = self.turned(mine, theirs, low_bit_index(disc))
            if turned:
                best = max(best, -self.last_disc(theirs ^ turned, mine | turned | disc, empty ^ disc))
        return best

    def last_disc(self, mine: int, theirs: int, empty: int) -> int:
        """The value for the side to move with one empty square, where this side or else the other side moves."""
        first, turned = 4 * low_bit_index(empty), 0
        difference = popcount(mine) - popcount(theirs)
        for i in range(first, first + 4):
            turned += int(self.counts_turned[int(self.first_counts[i]) + packed(mine, self.full_lines[i])])
        if turned % OTHERS:
            return difference + 1 + 2 * (turned % OTHERS)
        return difference - 1 - 2 * (turned // OTHERS) if turned else self.payoff(difference, 1)


def counts_turned(below: int, above: int) -> Iterator[int]:
    """For each way to stand on a full line around its only empty square, how many discs a new one there turns over.

    The number of the way has a bit for each own disc, from the lowest square on. An own new disc counts once for each
    disc that it turns over, one of the other side OTHERS times.
    """
    for way in range(1 << below + above):
        discs = [way >> i & 1 for i in range(below + above)]
        rays = discs[:below][::-1], discs[below:]
        yield sum(ray.index(end) * (1 if end else OTHERS) for ray in rays for end in (0, 1) if end in ray)
