"""Which chains of Go live even if their side always passes.

D. B. Benson 1976, "Life in the game of Go", Information Sciences 10: such a chain has two regions, all of whose empty
points are its liberties, and which only such chains enclose.
"""

from gamesearch.games._shared.flood import flooded
from gamesearch.games.go.position import GoBoard
from gamesearch.toolkit.bits import Wide128, popcount

__all__ = ["GoLife"]


class GoLife(GoBoard):
    """Finds unconditional life. It does not hold where stones may take themselves off."""

    def certain_points(self, mine: int, theirs: int) -> int:
        """The points that are a side's at the end, though it should only pass: living chains and their single eyes."""
        alive, regions = self.unconditional(mine, theirs)
        single = regions & ~self.neighbours(regions)
        return popcount(alive | single)

    def unconditional(self, mine: int, theirs: int) -> tuple[int, int]:
        """The chains of a side that the opponent never takes, and the regions that they enclose.

        All chains and regions are candidates at first. A chain without two regions goes, and with it all that it is
        beside; until nothing goes any more.
        """
        empty = self.full & ~(mine | theirs)
        alive, regions = Wide128(mine), Wide128(self.full & ~mine)
        left = Wide128(mine)
        while left != 0:
            chain = flooded(self, left & -left, mine)
            left &= ~chain
            if not self.has_two_regions(chain, regions, empty):
                alive &= ~chain
                regions &= ~flooded(self, self.neighbours(chain) & regions, regions)
                left = Wide128(alive)
        return alive, regions

    def has_two_regions(self, chain: int, regions: int, empty: int) -> bool:
        """Whether all empty points of two regions are liberties of a chain."""
        liberties, found = self.neighbours(chain), 0
        beside = liberties & regions
        while beside != 0 and found < 2:
            region = flooded(self, beside & -beside, regions)
            beside &= ~region
            if region & empty & ~liberties == 0:
                found += 1
        return found == 2
