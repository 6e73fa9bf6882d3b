"""Numbers of combinations, in integer arithmetic that runs at both speeds: how games number their positions.

The combinatorial number system (D. H. Lehmer 1964; Knuth, The Art of Computer Programming 4A, section 7.2.1.3): of all
sets of k members, one whose members are c1 < c2 < ... < ck has the number C(c1, 1) + C(c2, 2) + ... + C(ck, k).
"""

import math

from gamesearch.toolkit.bits import BoardTable, low_bit_index

__all__ = ["LARGEST", "choose", "next_set", "numbered_set", "set_number"]

LARGEST = 127
"""The largest n of `choose`."""
WIDTH = 32
BINOMIALS = BoardTable(math.comb(n, k) & (1 << 62) - 1 for n in range(LARGEST + 1) for k in range(WIDTH))
"""C(n, k) at WIDTH * n + k; those of more than 62 bits are cut, and number nothing that a machine could hold."""


def choose(n: int, k: int) -> int:
    """The number of ways to choose k of n things: n up to LARGEST, k below 32, the result below 2**62."""
    return int(BINOMIALS[WIDTH * n + k])


def set_number(members: int) -> int:
    """The number of a set among those of its size; bit i of `members` says whether i is in it."""
    number, size = 0, 1
    while members:
        number += choose(low_bit_index(members), size)
        members &= members - 1
        size += 1
    return number


def numbered_set(number: int, most: int, size: int) -> int:
    """The set of a number, with `size` members below `most`."""
    members, member = 0, most
    for k in range(size, 0, -1):
        member -= 1
        while choose(member, k) > number:
            member -= 1
        number -= choose(member, k)
        members |= 1 << member
    return members


def next_set(members: int) -> int:
    """The set of the next number among those of its size; members lie below bit 61 (R. W. Gosper 1972, HAKMEM 175)."""
    if members == 0:
        return 0
    lowest = members & -members
    carried = members + lowest
    return carried | (members ^ carried) >> low_bit_index(lowest) + 2
