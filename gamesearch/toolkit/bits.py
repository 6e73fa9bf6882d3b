"""Helpers for boards of bits, which compute the same interpreted and compiled.

Compiled, integers have 64 bits with sign; interpreted, Python's have no limit. These helpers hide the difference.
Their compiled forms are in `gamesearch.compiler.bit_operations` and `wide_bits`.

A board of 64 squares is a `Board64`: an integer from 0 to 2**64 - 1. The operators mean the same at both speeds, but
that Python keeps what `<<`, `~`, `+` and `-` carry beyond 64 bits. Take the `&` of such a result with a board before
it is shifted down, counted, compared or kept:

    (pawns << 8) & empty        the squares in front of the pawns, where they are empty
    board & ~taken              the board without some squares
    board & board - 1           the board without its lowest square
"""

import hashlib
import operator
import struct
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeVar, cast

__all__ = [
    "HASH_MULTIPLIER",
    "Board64",
    "BoardTable",
    "Wide128",
    "Wide256",
    "Wide512",
    "bits_of",
    "high_bit_index",
    "low_bit_index",
    "mix",
    "packed",
    "popcount",
    "replaced",
    "spread",
]

ALL_BITS = 0xFFFF_FFFF_FFFF_FFFF
HASH_MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4)."""

FLOAT, FLOAT_AS_INTEGER = struct.Struct("<d"), struct.Struct("<q")

Item = TypeVar("Item")

if TYPE_CHECKING:
    Board64: TypeAlias = int
    Wide128: TypeAlias = int
    Wide256: TypeAlias = int
    Wide512: TypeAlias = int
else:

    class _Wide:
        """An integer with a width of its own when compiled; interpreted, it is an int.

        Make it the type of a field of the state, and begin computations with it (`Wide128(1) << cell`). In an
        operation of a wide integer and another, the other is widened.
        """

        def __new__(cls, value: int = 0) -> int:
            return int(value)

    class Board64(_Wide):
        """A board of 64 squares: an integer of 64 bits without sign."""

    class Wide128(_Wide):
        """An integer of 128 bits with sign."""

    class Wide256(_Wide):
        """An integer of 256 bits with sign."""

    class Wide512(_Wide):
        """An integer of 512 bits with sign."""


class BoardTable(tuple[int, ...]):
    """A tuple of boards from which compiled code reads item i, of `len` items, in one load.

    For tables that are constants of a file of rules or attributes of a game. The index is not checked when compiled.
    """

    __slots__ = ()


def popcount(x: int) -> int:
    """The number of bits set in x, a board of 64 bits, or a wide integer that is not negative."""
    return (int(x) & ALL_BITS).bit_count() if x < 0 else int(x).bit_count()


def low_bit_index(x: int) -> int:
    """The index of the lowest set bit of x, which is not 0."""
    return (int(x) & -int(x)).bit_length() - 1


def high_bit_index(x: int) -> int:
    """The index of the highest set bit of x, a board which is not 0."""
    return int(x).bit_length() - 1


def packed(members: int, among: int) -> int:
    """The members among the bits of `among`, by their places there: its lowest bit becomes bit 0.

    Both are boards of at most 64 bits. Compiled, it is one instruction where the processor has it (PEXT).
    """
    places = place = 0
    rest = int(among) & ALL_BITS
    while rest:
        if members & rest & -rest:
            places |= 1 << place
        place += 1
        rest &= rest - 1
    return places


def spread(places: int, among: int) -> int:
    """The bits of `among`, at most 63, at some places: the other way round than `packed`, and as quick (PDEP)."""
    members = 0
    while among and places:
        if places & 1:
            members |= among & -among
        among &= among - 1
        places >>= 1
    return members


def bits_of(x: float) -> int:
    """The 64 bits of a float, as an integer with sign."""
    return int(FLOAT_AS_INTEGER.unpack(FLOAT.pack(x))[0])


def replaced(items: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])


def mix(key: object) -> int:
    """A hash of 64 bits, with sign, of a key: an int, a tuple of keys, or any hashable.

    Different ints of 64 bits have different hashes; two other keys share one with probability 2**-64. Python's own
    hash is not good enough: 1 and 2**61, the first square of a board and the last but two, have the same.
    """
    h = _mix_unsigned(key)
    return h - (1 << 64) if h >> 63 else h


def _mix_unsigned(key: object) -> int:
    if isinstance(key, int):
        if -(1 << 63) <= key <= ALL_BITS:
            return scramble(key & ALL_BITS)
        return _mix_unsigned((key >> 64, key & ALL_BITS))  # a board that is too large to be compiled
    if isinstance(key, tuple):
        h = len(key)
        for item in key:
            h = scramble(h + _mix_unsigned(item) & ALL_BITS)
        return h
    if isinstance(key, str):  # Python's hash of a text changes from run to run
        return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    if hasattr(type(key), "__index__"):  # NumPy's integers are not ints
        return _mix_unsigned(operator.index(cast(SupportsIndex, key)))
    return scramble(hash(key) & ALL_BITS)


def scramble(x: int) -> int:
    """A one-to-one mapping of 64 bits that spreads them."""
    x = x * HASH_MULTIPLIER & ALL_BITS
    return x ^ x >> 32
