"""A position of Go, and its board: which points touch, and what a stone takes off."""

from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.flood import flooded
from gamesearch.toolkit.bits import Wide128, low_bit_index, popcount
from gamesearch.toolkit.boards import Palette

__all__ = ["LARGEST", "NOWHERE", "GoBoard", "Position"]

LARGEST = 19
"""The longest side of a board."""
NOWHERE = -1


class Position(NamedTuple):
    """Bitboards: a row is `size` bits from the left and one more that stays empty, the lowest row first.

    With size 4, whose corners are A1 at 0, D1 at 3, A4 at 15 and D4 at 18:

        15 16 17 18  .
        10 11 12 13  .
         5  6  7  8  .
         0  1  2  3  .

    `passes` have just followed each other; `ko` is where a stone may not be put back at once, which
    is only of use without superko.
    """

    black: Wide128
    white: Wide128
    turn: int
    passes: int
    ko: int


class GoBoard(Game[Position]):
    """The board and the chains on it."""

    unit = "points"
    komi: float
    palette = Palette(
        "crossings", board="#dcb35c", line="#5a4118", sides=("#0d0d0d", "#fbfbf6"), discs=True, mark="#c43c2c"
    )

    def __init__(self, size: int, superko: bool, suicide: bool) -> None:
        if not 2 <= size <= LARGEST:
            raise GamesearchError(f"size={size} is not between 2 and {LARGEST}")
        self.size, self.superko, self.suicide = size, superko, suicide
        self.width = size + 1
        points = [row * self.width + column for row in range(size) for column in range(size)]
        self.full = sum(1 << point for point in points)
        self.points_from_centre = tuple(sorted(points, key=self.squared_remoteness))
        self.pass_move = size * self.width

    def squared_remoteness(self, point: int) -> int:
        """The square of twice a point's distance from the centre."""
        row, column = divmod(point, self.width)
        return (2 * row - self.size + 1) ** 2 + (2 * column - self.size + 1) ** 2

    def neighbours(self, points: int) -> int:
        """The points next to some of these."""
        return (points << 1 | points >> 1 | points << self.width | points >> self.width) & self.full

    def may_fill(self, mine: int, theirs: int, stone: int) -> bool:
        """Whether a stone may be put where it has no liberty of its own."""
        after, _ = self.after_stone(mine, theirs, stone)
        return after & stone != 0 or (self.suicide and after != mine)

    def after_stone(self, mine: int, theirs: int, stone: int) -> tuple[int, int]:
        """Both sides' stones when one more is put down, and chains without liberties are taken off."""
        mine |= stone
        empty = self.full & ~(mine | theirs)
        attacked = self.neighbours(stone) & theirs
        while attacked != 0:
            chain, breathes = self.chain_or_part(attacked & -attacked, theirs, empty)
            attacked &= ~chain
            if not breathes:
                theirs &= ~chain
        chain, breathes = self.chain_or_part(stone, mine, self.full & ~(mine | theirs))
        if not breathes:
            mine &= ~chain
        return mine, theirs

    def chain_or_part(self, stone: int, stones: int, empty: int) -> tuple[int, bool]:
        """The chain of a stone, and whether it has a liberty; where it has, as much of the chain as shows it."""
        chain = Wide128(stone)
        while True:
            around = self.neighbours(chain)
            if around & empty != 0:
                return chain, True
            grown = chain | around & stones
            if grown == chain:
                return chain, False
            chain = grown

    def last_liberties(self, seeds: int, stones: int, empty: int) -> int:
        """The last liberties of those chains the seeds belong to that have a single one."""
        points = Wide128(0)
        while seeds != 0:
            chain = flooded(self, seeds & -seeds, stones)
            seeds &= ~chain
            points |= self.only_liberty(chain, empty)
        return points

    def only_liberty(self, chain: int, empty: int) -> int:
        """The liberty of a chain that has a single one, else no point."""
        liberties = self.neighbours(chain) & empty
        return liberties if liberties & liberties - 1 == 0 else Wide128(0)

    def ko_after(self, stone: int, mine: int, theirs: int, theirs_before: int) -> int:
        """Where the opponent may not retake at once; nowhere where superko forbids it anyhow."""
        return NOWHERE if self.superko else self.point_of_ko(stone, mine, theirs, theirs_before)

    def point_of_ko(self, stone: int, mine: int, theirs: int, theirs_before: int) -> int:
        """Where a stone could be retaken at once: where a lone stone took one, and has no other liberty."""
        taken = theirs_before ^ theirs
        is_lone = popcount(taken) == 1 and self.neighbours(stone) & ~theirs == taken  # its liberties and friends
        return low_bit_index(taken) if is_lone else NOWHERE
