"""Rows on gomoku's bitboards, for all places at once: those that win, and those that still can."""

from gamesearch.bits import Wide256
from gamesearch.games.gomoku.position import GomokuBoard

__all__ = ["GomokuRows", "run"]


class GomokuRows(GomokuBoard):
    """The board with the rows that win on it."""

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


def run(stones: int, stone: int, step: int) -> int:
    """How many of the stones are in a row with a cell, next to it."""
    length = 0
    cell = stone << step
    while stones & cell:
        length += 1
        cell <<= step
    cell = stone >> step
    while stones & cell:
        length += 1
        cell >>= step
    return length
