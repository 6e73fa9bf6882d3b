"""The members of a set that is kept as the bits of an integer, such as squares, one after another.

Compiled, such a loop takes no longer than one that is written out, but for those in another generator: with them, the
moves of Othello took 1.02 times as long, those of chess 1.3 times and those of morris 1.6 times. Build orders and
Pac-Man, whose sets are small, were no slower.
"""

from collections.abc import Iterator

from gamesearch.toolkit.bits import high_bit_index, low_bit_index

__all__ = ["members", "members_down"]


def members(board: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, from the lowest."""
    while board != 0:
        yield low_bit_index(board)
        board &= board - 1


def members_down(board: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set in a board of 64, from the highest."""
    while board != 0:
        highest = high_bit_index(board)
        yield highest
        board &= ~(1 << highest)
