"""A position of gomoku, and its board: the rows that win, and those that still can, for all places at once."""

from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.turning import TURNS, turned
from gamesearch.optional import Symmetric
from gamesearch.toolkit.bits import Wide256
from gamesearch.toolkit.boards import Palette

__all__ = ["GomokuBoard", "Position"]

LARGEST, LONGEST_ROW = 19, 7
"""As many rows as a board may have, and what the three binary digits count to that count stones in a row."""


class Position(NamedTuple):
    """Bitboards: the cells row by row from below, with one column after the last that stays empty.

        24 25 26 27 28  .
        18 19 20 21 22  .
        12 13 14 15 16  .
         6  7  8  9 10  .
         0  1  2  3  4  .

    Here for five columns. The next cell to the right is 1 bit further, the one above `size` + 1; the
    empty column keeps rows from going on at the other side. The pairs are those that each has taken.
    """

    crosses: Wide256
    noughts: Wide256
    max_pairs: int
    min_pairs: int
    turn: int


class GomokuBoard(Symmetric[Position]):
    """The board: whose stones are whose, and the rows that they make."""

    palette = Palette(
        "crossings", board="#dcb35c", line="#5a4118", sides=("#0d0d0d", "#fbfbf6"), discs=True, mark="#c43c2c"
    )

    pairs_to_win = 5

    def __init__(self, size: int, connect: int, exact: bool, captures: bool) -> None:
        if not 3 <= size <= LARGEST or not 3 <= connect <= min(size, LONGEST_ROW):
            raise GamesearchError(
                f"gomoku takes a size from 3 to {LARGEST} and connect from 3 to {LONGEST_ROW}, or the size: "
                f"not size={size}, connect={connect}"
            )
        if exact and captures:
            raise GamesearchError("in Pente, rows longer than five win: captures=true goes without exact=true")
        self.size, self.connect, self.exact, self.captures = size, connect, exact, captures
        self.width = size + 1
        self.directions = (1, self.width - 1, self.width, self.width + 1)
        self.full = sum(((1 << size) - 1) << row * self.width for row in range(size))
        self.centre = size // 2 * (self.width + 1)
        self.passing_never_helps = not captures  # one stone more does no harm, but where it can be taken

    def symmetries(self, s: Position) -> Iterator[Position]:
        for turn in range(TURNS):
            crosses = turned(s.crosses, self.size, self.width, turn)
            noughts = turned(s.noughts, self.size, self.width, turn)
            yield Position(crosses, noughts, s.max_pairs, s.min_pairs, s.turn)

    def mine(self, s: Position) -> int:
        """The stones of the side to move."""
        return s.crosses if s.turn == MAX else s.noughts

    def theirs(self, s: Position) -> int:
        """The stones of the side that moved last."""
        return s.noughts if s.turn == MAX else s.crosses

    def around(self, cells: int) -> int:
        """The cells and their neighbours."""
        rows = cells | cells << 1 | cells >> 1
        return self.full & (rows | rows << self.width | rows >> self.width)

    def taken_by(self, stone: int, mine: int, theirs: int) -> int:
        """The pairs that a stone flanks together with another of mine."""
        taken = Wide256(0)
        for step in self.directions:
            above, below = stone << step | stone << 2 * step, stone >> step | stone >> 2 * step
            if theirs & above == above and mine & stone << 3 * step:
                taken |= above
            if theirs & below == below and mine & stone >> 3 * step:
                taken |= below
        return taken

    # Rows, by the bits of their first cells. -----------------------------------------------------
    def has_row(self, stones: int) -> bool:
        """Whether some of the stones stand in a row that wins."""
        for step in self.directions:
            found = stones
            for i in range(1, self.connect):
                found &= stones >> step * i
            if self.exact:
                found &= ~(stones << step | stones >> step * self.connect)
            if found != 0:
                return True
        return False

    def open_rows(self, mine: int, theirs: int, step: int) -> tuple[int, int, int, int]:
        """The rows of `connect` cells where only I can still win, by their first cells.

        After them, how many of my stones each of these has, or any other, in binary: the ones, the
        twos and the fours, added up for all rows at once.
        """
        free = self.full & ~theirs
        possible, ones, twos, fours = free, mine, Wide256(0), Wide256(0)
        for i in range(1, self.connect):
            possible &= free >> step * i
            stones = mine >> step * i
            carry = ones & stones
            ones ^= stones
            fours |= twos & carry
            twos ^= carry
        if self.exact:
            possible &= ~(mine << step | mine >> step * self.connect)
        return possible, ones, twos, fours

    def lacking(self, rows: tuple[int, int, int, int], number: int) -> int:
        """Those of the open rows that are complete but for so many stones."""
        possible, ones, twos, fours = rows
        stones = self.connect - number
        found = possible & (ones if stones & 1 else ~ones)
        found &= twos if stones & 2 else ~twos
        return found & (fours if stones & 4 else ~fours)

    def completing(self, mine: int, theirs: int, number: int) -> int:
        """The empty cells of the rows that lack so many of my stones."""
        cells = Wide256(0)
        for step in self.directions:
            found = self.lacking(self.open_rows(mine, theirs, step), number)
            for i in range(self.connect):
                cells |= found << step * i
        return cells & self.full & ~(mine | theirs)

    def open_threes(self, found: int, taken: int, step: int) -> int:
        """Of the rows that lack two stones, those that one stone makes a row with two ways to win.

        It and its neighbour, one step on, share all their stones, and both their outer ends are empty.
        """
        return found & found >> step & ~taken & ~(taken >> step * self.connect)
