"""Operations on bitboards that give the same results in interpreted and compiled code.

Compiled integers are signed and have 64 bits; Python's integers are unlimited. The functions of this module return the
same results for both kinds of integers. The compiled forms of the functions are in
`gamesearch.compiler.bit_operations`.

A board of 64 squares is a `Board64`: an integer from 0 to 2**64 - 1. Operators give the same results in interpreted and
compiled code, with one exception: in interpreted code, results of `<<`, `~`, `+` and `-` may have more than 64 bits.
First combine such a result with a board by `&`. Only then shift it to the right, count its bits, compare it or store
it. Examples:

    (pawns << 8) & empty        the empty squares in front of the pawns
    board & ~taken              the board without some squares
    board & board - 1           the board without its lowest square
"""

import hashlib
import operator
import struct
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeVar, cast

from gamesearch.toolkit import accept_old_names

__all__ = [
    "HASH_MULTIPLIER", "Board64", "BoardTable", "Wide128", "Wide256", "Wide512", "bits_of", "high_bit_index",
    "low_bit_index", "mix", "pack_bits", "popcount", "replace_item", "spread_bits",
]  # fmt: skip

__getattr__ = accept_old_names(globals(), {"replaced": "replace_item"})

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
        """An integer with a fixed number of bits in compiled code, and an int in interpreted code.

        Use a subclass as the type of a field of the state, and begin computations with a value of this type, such as
        `Wide128(1) << cell`. If the operands have different widths, the narrower operand is widened.
        """

        def __new__(cls, value: int = 0) -> int:
            return int(value)

    class Board64(_Wide):
        """A board of 64 squares: an unsigned integer of 64 bits."""

    class Wide128(_Wide):
        """A signed integer of 128 bits."""

    class Wide256(_Wide):
        """A signed integer of 256 bits."""

    class Wide512(_Wide):
        """A signed integer of 512 bits."""


class BoardTable(tuple[int, ...]):
    """A tuple of boards. Compiled code reads an element with a single machine instruction.

    Use a BoardTable for a table that is a constant in the module of a game, or an attribute of a game. Compiled code
    does not check whether the index is in range.
    """

    __slots__ = ()


def popcount(x: int) -> int:
    """The number of set bits of x. The argument x is a board of 64 bits, or a wide integer that is not negative."""
    return (int(x) & ALL_BITS).bit_count() if x < 0 else int(x).bit_count()


def low_bit_index(x: int) -> int:
    """The index of the lowest set bit of x, which must not be 0."""
    return (int(x) & -int(x)).bit_length() - 1


def high_bit_index(x: int) -> int:
    """The index of the highest set bit of x. The board x must not be 0."""
    return int(x).bit_length() - 1


def pack_bits(members: int, among: int) -> int:
    """Select those bits of `members` that are at positions where `among` has a 1. Move the selected bits into the
    lowest bits, in the same order.

    Both arguments are boards of at most 64 bits. Compiled code uses the instruction PEXT if the processor has it.
    """
    places = place = 0
    rest = int(among) & ALL_BITS
    while rest:
        if members & rest & -rest:
            places |= 1 << place
        place += 1
        rest &= rest - 1
    return places


def spread_bits(places: int, among: int) -> int:
    """Move the lowest bits of `places` to the positions of the set bits of `among`, in the same order. In compiled
    code, bit 63 of `among` must not be set. `spread_bits` (the instruction PDEP) is the inverse of `pack_bits`."""
    members = 0
    while among and places:
        if places & 1:
            members |= among & -among
        among &= among - 1
        places >>= 1
    return members


def bits_of(x: float) -> int:
    """The 64 bits of a float, as a signed integer."""
    return int(FLOAT_AS_INTEGER.unpack(FLOAT.pack(x))[0])


def replace_item(items: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """A copy of a tuple, with `value` as the item at `index`."""
    return (*items[:index], value, *items[index + 1 :])


def mix(key: object) -> int:
    """A signed 64-bit hash of a key: an int, a tuple of keys, or any hashable object.

    Different 64-bit ints have different hashes. If two different keys are not 64-bit ints, their hashes are equal with
    probability 2**-64. Python's `hash` does not suffice: 1 and 2**61 have the same hash, but are different boards.
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
            if type(item) is int and 0 <= item <= ALL_BITS:  # scramble twice without calls, which are slow
                x = item * HASH_MULTIPLIER & ALL_BITS
                x = h + (x ^ x >> 32) & ALL_BITS
            else:
                x = h + _mix_unsigned(item) & ALL_BITS
            x = x * HASH_MULTIPLIER & ALL_BITS
            h = x ^ x >> 32
        return h
    if isinstance(key, str):  # Python's hash of a string changes from run to run
        return int.from_bytes(hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    if hasattr(type(key), "__index__"):  # NumPy's integers are not ints
        return _mix_unsigned(operator.index(cast(SupportsIndex, key)))
    return scramble(hash(key) & ALL_BITS)


def scramble(x: int) -> int:
    """Mix the bits of a 64-bit integer, so that different integers have different results."""
    x = x * HASH_MULTIPLIER & ALL_BITS
    return x ^ x >> 32
