"""Sets of cells, stored as the bits of an integer.

Sets of equal size are numbered by the combinatorial number system (D. H. Lehmer 1964; Knuth, The Art of Computer
Programming 4A, section 7.2.1.3). The set with the k members c1 < c2 < ... < ck has the number C(c1, 1) + C(c2, 2) + ...
+ C(ck, k).

In compiled code, a generator that calls `members` is slower than a generator that contains the same loop
(benchmarks/results.md). So some generators contain a copy of the loop in `members`.
"""

import math
from collections.abc import Iterator
from typing import Protocol

from gamesearch.toolkit.bits import BoardTable, Wide128, high_bit_index, low_bit_index

__all__ = [
    "HALF_TURN", "LARGEST", "TURNS", "choose", "flood", "members", "members_down", "next_set", "numbered_set",
    "set_number", "turn_cells",
]  # fmt: skip


def members(board: int) -> Iterator[int]:
    """Yield the indices of the bits that are 1, in ascending order."""
    while board != 0:
        yield low_bit_index(board)
        board &= board - 1


def members_down(board: int) -> Iterator[int]:
    """Yield the indices of the bits that are 1 in a 64-bit board, in descending order."""
    while board != 0:
        highest = high_bit_index(board)
        yield highest
        board &= ~(1 << highest)


class NeighborGame(Protocol):
    """A game whose cells have neighbors."""

    def neighbors(self, cells: int, /) -> int:
        """The cells that are adjacent to at least one of the given cells."""


def flood(game: NeighborGame, seeds: int, stones: int) -> int:
    """The cells in `seeds`, and all stones that are connected with these cells (flood fill)."""
    reached, before = Wide128(seeds), Wide128(0)
    while reached != before:
        before = reached
        reached |= game.neighbors(reached) & stones
    return reached


TURNS = 8
HALF_TURN = 3


def turn_cells(cells: int, side: int, width: int, turn: int) -> int:
    """Rotate or reflect cells of a square board. `turn` is one of the TURNS symmetries; 0 is the identity.

    Bit 0 of `turn` reverses the order of the rows, bit 1 reverses the order of the columns, and bit 2 then exchanges
    rows and columns. Adjacent rows are `width` bits apart; `width` must be at least `side`.
    """
    found = cells ^ cells  # zero, in the integer type of `cells`
    while cells != 0:
        others = cells & cells - 1
        cell, place = cells ^ others, low_bit_index(cells)
        row, column = place // width, place % width
        if turn & 1:
            row = side - 1 - row
        if turn & 2:
            column = side - 1 - column
        image = column * width + row if turn & 4 else row * width + column
        if image >= place:
            found |= cell << image - place
        else:
            found |= cell >> place - image
        cells = others
    return found


LARGEST = 127
"""The largest n that `choose` supports."""
WIDTH = 32
BINOMIALS = BoardTable(math.comb(n, k) & (1 << 62) - 1 for n in range(LARGEST + 1) for k in range(WIDTH))
"""The binomial coefficient C(n, k), at index WIDTH * n + k. Coefficients of more than 62 bits are truncated. Databases
do not need these coefficients, because a database of this size would not fit into memory."""


def choose(n: int, k: int) -> int:
    """The number of ways to choose k of n things. Requires n <= LARGEST, k < 32 and a result below 2**62."""
    return int(BINOMIALS[WIDTH * n + k])


def set_number(members: int) -> int:
    """The number of a set in the combinatorial number system. Bit i of `members` is set if i is in the set."""
    number, size = 0, 1
    while members:
        number += choose(low_bit_index(members), size)
        members &= members - 1
        size += 1
    return number


def numbered_set(number: int, most: int, size: int) -> int:
    """The set that has the given number among all sets of `size` members. All members are less than `most`."""
    members, member = 0, most
    for k in range(size, 0, -1):
        member -= 1
        while choose(member, k) > number:
            member -= 1
        number -= choose(member, k)
        members |= 1 << member
    return members


def next_set(members: int) -> int:
    """The next set of the same size, in the order of `set_number`. All members must be below 61 (R. W. Gosper 1972,
    HAKMEM 175)."""
    if members == 0:
        return 0
    lowest = members & -members
    carried = members + lowest
    return carried | (members ^ carried) >> low_bit_index(lowest) + 2
