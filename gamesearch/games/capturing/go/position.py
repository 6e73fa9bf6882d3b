"""Positions and the board of Go: neighbors, chains, captures, and unconditionally alive chains."""

from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.cells import flood
from gamesearch.toolkit.bits import Wide128, low_bit_index, popcount
from gamesearch.toolkit.boards import Palette

__all__ = ["LARGEST", "NOWHERE", "GoBoard", "Position"]

LARGEST = 19
"""The greatest size of a board."""
NOWHERE = -1


class Position(NamedTuple):
    """The stones as bitboards, the player to move, and the data for passes and ko. A bitboard begins with the lowest
    row. Each row has `size` bits from the left, and then a bit that is never set.

    On a board of size 4, the corners are A1 at 0, D1 at 3, A4 at 15 and D4 at 18:

        15 16 17 18  .
        10 11 12 13  .
         5  6  7  8  .
         0  1  2  3  .

    `passes` is the number of passes since the last stone. `ko` is the point at which retaking a stone is forbidden now,
    or NOWHERE. `ko` is not used with superko. `last` is the point of the last move, or NOWHERE after a pass.
    """

    black: Wide128
    white: Wide128
    turn: int
    passes: int
    ko: int
    last: int


class GoBoard(Game[Position]):
    """The board and the chains on it."""

    unit = "points"
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

    # Points and chains. ---------------------------------------------------------------------------
    def squared_remoteness(self, point: int) -> int:
        """The squared distance of a point from the center. The distance between adjacent points counts as 2."""
        row, column = divmod(point, self.width)
        return (2 * row - self.size + 1) ** 2 + (2 * column - self.size + 1) ** 2

    def neighbors(self, points: int) -> int:
        """The points next to one or more of the given points."""
        return (points << 1 | points >> 1 | points << self.width | points >> self.width) & self.full

    def may_fill(self, mine: int, theirs: int, stone: int) -> bool:
        """Whether a stone may be placed. This is so if it or its chain has a liberty, if it captures stones, or if
        suicide is allowed."""
        after, _ = self.after_stone(mine, theirs, stone)
        return after & stone != 0 or (self.suicide and after != mine)

    def after_stone(self, mine: int, theirs: int, stone: int) -> tuple[int, int]:
        """Place a stone, and remove chains without liberties. Returns the stones of both sides after this."""
        mine |= stone
        empty = self.full & ~(mine | theirs)
        attacked = self.neighbors(stone) & theirs
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
        """The chain to which a stone belongs, and whether this chain has a liberty. If the chain has a liberty, the
        result may contain only a part of the chain."""
        chain = Wide128(stone)
        while True:
            around = self.neighbors(chain)
            if around & empty != 0:
                return chain, True
            grown = chain | around & stones
            if grown == chain:
                return chain, False
            chain = grown

    def last_liberties(self, seeds: int, stones: int, empty: int) -> int:
        """The last liberties of all chains in atari that contain a stone of `seeds`."""
        points = Wide128(0)
        while seeds != 0:
            chain, liberty = self.chain_in_atari(seeds & -seeds, stones, empty)
            seeds &= ~chain
            points |= liberty
        return points

    def chain_in_atari(self, stone: int, stones: int, empty: int) -> tuple[int, int]:
        """The chain to which a stone belongs, and the only liberty of this chain. If the chain has several liberties,
        the function stops early: it returns a part of the chain, and 0 instead of a liberty."""
        chain = Wide128(stone)
        while True:
            around = self.neighbors(chain)
            liberties, grown = around & empty, chain | around & stones
            if liberties & liberties - 1 != 0:
                return chain, Wide128(0)
            if grown == chain:
                return chain, liberties
            chain = grown

    def ko_after(self, stone: int, mine: int, theirs: int, theirs_before: int) -> int:
        """The point on which the opponent may not retake the ko in the next move, or NOWHERE. If superko is used, the
        result is always NOWHERE."""
        return NOWHERE if self.superko else self.point_of_ko(stone, mine, theirs, theirs_before)

    def point_of_ko(self, stone: int, mine: int, theirs: int, theirs_before: int) -> int:
        """The point of a ko, or NOWHERE. A single stone makes a ko if it captured exactly one stone and has no other
        liberty."""
        taken = theirs_before ^ theirs
        is_lone = popcount(taken) == 1 and self.neighbors(stone) & ~theirs == taken  # other neighbors are enemy stones
        return low_bit_index(taken) if is_lone else NOWHERE

    # Unconditional life: some chains stay alive even if their side always passes (D. B. Benson 1976, "Life in the game
    # of Go", Information Sciences 10). Such a chain has two enclosed regions. All empty points of these regions are
    # liberties of the chain, and only chains of this kind enclose the regions. The theorem does not hold if suicide is
    # allowed.
    def certain_points(self, mine: int, theirs: int) -> int:
        """The number of points that a side keeps even if it always passes: living chains and single-point eyes."""
        alive, regions = self.unconditionally_alive(mine, theirs)
        single = regions & ~self.neighbors(regions)
        return popcount(alive | single)

    def unconditionally_alive(self, mine: int, theirs: int) -> tuple[int, int]:
        """The chains of one side that can never be captured, and the regions that these chains enclose. The method
        begins with all chains and regions of the side. Then it repeatedly removes a chain that does not have two
        regions, together with the regions next to this chain."""
        empty = self.full & ~(mine | theirs)
        alive, regions = Wide128(mine), Wide128(self.full & ~mine)
        left = Wide128(mine)
        while left != 0:
            chain = flood(self, left & -left, mine)
            left &= ~chain
            if not self.has_two_regions(chain, regions, empty):
                alive &= ~chain
                regions &= ~flood(self, self.neighbors(chain) & regions, regions)
                left = Wide128(alive)
        return alive, regions

    def has_two_regions(self, chain: int, regions: int, empty: int) -> bool:
        """Whether a chain has two regions in which all empty points are liberties of the chain."""
        liberties, found = self.neighbors(chain), 0
        beside = liberties & regions
        while beside != 0 and found < 2:
            region = flood(self, beside & -beside, regions)
            beside &= ~region
            if region & empty & ~liberties == 0:
                found += 1
        return found == 2
