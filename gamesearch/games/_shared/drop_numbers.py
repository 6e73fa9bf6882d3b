"""Numbers of the positions of a game whose stones drop into columns, in layers of as many empty cells.

How high the columns are has a number, and which of the stones are whose has another: C(n, n / 2) for n stones. So
positions that no game can reach have numbers, too, such as those with two lines: on 5 rows and 5 columns about three
numbers for each of the 69,763,700 positions that can be reached (J. Tromp, tromp.github.io/c4).
"""

from typing import Any

from gamesearch.games._shared.combinations import choose, next_set, numbered_set, set_number
from gamesearch.optional import Numbered
from gamesearch.toolkit.bits import BoardTable, packed, popcount, spread

__all__ = ["DropNumbers"]

MOST_CELLS = 62
"""A larger board does not fit an integer of 64 bits, and its layers fit no memory."""


class DropNumbers(Numbered[Any]):
    """The numbers; `mine` are the stones of the side to move, `taken` those of both."""

    numbers_are_exact = True
    folds_symmetries = False
    rows: int
    columns: int
    cells: int
    height: int

    def position_of(self, mine: int, taken: int) -> Any:
        """The position with these stones."""
        raise NotImplementedError

    def prepare_numbers(self) -> None:
        """In how many ways n stones lie in c columns, at (cells + 1) * c + n."""
        ways = [[1] + [0] * self.cells]
        for _ in range(self.columns):
            ways.append([sum(ways[-1][max(0, n - self.rows) : n + 1]) for n in range(self.cells + 1)])
        self.ways = BoardTable(number for row in ways for number in row)

    def layer(self, s: Any) -> int:
        return self.cells - popcount(s.taken) if self.cells <= MOST_CELLS else -1

    def layer_size(self, layer: int) -> int:
        if not 0 <= layer <= self.cells or self.cells > MOST_CELLS:
            return 0
        stones = self.cells - layer
        return int(self.ways[(self.cells + 1) * self.columns + stones]) * choose(stones, stones // 2)

    def rank(self, s: Any) -> int:
        stones = popcount(s.taken)
        number, left = 0, stones
        for column in range(self.columns):
            first = (self.cells + 1) * (self.columns - 1 - column)
            high = popcount(s.taken >> column * self.height & (1 << self.rows) - 1)
            for lower in range(high):
                number += int(self.ways[first + left - lower])
            left -= high
        return number * choose(stones, stones // 2) + set_number(packed(s.mine, s.taken))

    def unrank(self, layer: int, number: int) -> Any:
        stones = self.cells - layer
        whose = choose(stones, stones // 2)
        heights, left, taken = number // whose, stones, 0
        for column in range(self.columns):
            first = (self.cells + 1) * (self.columns - 1 - column)
            high = 0
            while heights >= int(self.ways[first + left - high]):
                heights -= int(self.ways[first + left - high])
                high += 1
            left -= high
            taken |= (1 << high) - 1 << column * self.height
        return self.position_of(spread(numbered_set(number % whose, stones, stones // 2), taken), taken)

    def unrank_after(self, layer: int, number: int, before: Any) -> Any:
        stones = self.cells - layer
        if number % choose(stones, stones // 2) == 0:  # other heights
            return self.unrank(layer, number)
        return self.position_of(spread(next_set(packed(before.mine, before.taken)), before.taken), before.taken)
