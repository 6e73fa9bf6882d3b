"""Small helpers that mean the same interpreted and compiled, for the games to use.

Compiled, integers are 64 bits wide with a sign; interpreted, Python's have no end. These helpers
hide the difference. Their compiled forms are in `gamesearch.compiler.bit_operations`.
"""

import hashlib
import operator
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeVar, cast

__all__ = [
    "HASH_MULTIPLIER",
    "Wide128",
    "Wide256",
    "Wide512",
    "low_bit_index",
    "mix",
    "popcount",
    "replaced",
]

ALL_BITS = 0xFFFF_FFFF_FFFF_FFFF
HASH_MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, section 6.4)."""

Item = TypeVar("Item")

if TYPE_CHECKING:
    Wide128: TypeAlias = int
    Wide256: TypeAlias = int
    Wide512: TypeAlias = int
else:

    class _Wide:
        """An integer that is more than 64 bits wide when compiled; interpreted, it is just an int.

        For boards of more than 63 cells: name it as the type of a field of the state, and begin with
        it what is computed (`Wide128(1) << cell`). Integers that meet a wide one become as wide.
        """

        def __new__(cls, value: int = 0) -> int:
            return int(value)

    class Wide128(_Wide):
        """An integer of 128 bits with sign."""

    class Wide256(_Wide):
        """An integer of 256 bits with sign."""

    class Wide512(_Wide):
        """An integer of 512 bits with sign."""


def popcount(x: int) -> int:
    """How many bits of x are set; x is a board of 64 bits, or a wide one, which is not negative."""
    return (int(x) & ALL_BITS).bit_count() if x < 0 else int(x).bit_count()


def low_bit_index(x: int) -> int:
    """The index of the lowest set bit of x, which is not 0."""
    return (int(x) & -int(x)).bit_length() - 1


def replaced(items: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])


def mix(key: object) -> int:
    """A hash of 64 bits, with sign, of a key: an int, a tuple of keys, or any hashable.

    Ints of 64 bits are told apart with certainty; of the rest, two share a hash with probability
    2**-64. Python's own hash will not do: it takes 1 for 2**61, the first square for the last but two.
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
    if isinstance(key, str):  # whose own hash changes from run to run
        text = key.encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")
    if hasattr(type(key), "__index__"):  # NumPy's integers are no ints
        return _mix_unsigned(operator.index(cast(SupportsIndex, key)))
    return scramble(hash(key) & ALL_BITS)


def scramble(x: int) -> int:
    """Spread 64 bits, one to one."""
    x = x * HASH_MULTIPLIER & ALL_BITS
    return x ^ x >> 32
