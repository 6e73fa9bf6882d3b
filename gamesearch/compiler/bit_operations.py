"""The compiled forms of the helpers in `gamesearch.bits`; each computes what its interpreted form does.

Once this module is imported, Numba uses them wherever compiled code names one of those helpers.
"""

from typing import Any

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gamesearch import bits
from gamesearch.compiler.wide_bits import (
    WORD,
    WideType,
    count_bits,
    count_trailing_zeros,
    last_bit_index,
    word_of,
)

__all__: list[str] = []


# Bits. -------------------------------------------------------------------------------------------
@intrinsic
def _count_bits(context, x):
    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


@intrinsic
def _count_trailing_zeros(context, x):
    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), code


@overload(bits.popcount, inline="always")
def _popcount(x):
    return (lambda x: count_bits(x)) if isinstance(x, WideType) else (lambda x: _count_bits(np.int64(x)))


@overload(bits.low_bit_index, inline="always")
def _low_bit_index(x):
    if isinstance(x, WideType):
        return lambda x: count_trailing_zeros(x)
    return lambda x: _count_trailing_zeros(np.int64(x))


@overload(bits.high_bit_index, inline="always")
def _high_bit_index(x):
    return (lambda x: last_bit_index(x)) if isinstance(x, WideType) else (lambda x: last_bit_index(bits.Board64(x)))


@overload(bits.replaced)
def _replaced(items, index, value):
    from numba.cpython.unsafe.tuple import tuple_setitem

    if isinstance(items, types.UniTuple) and isinstance(items.dtype, types.Integer | types.Float):
        kind = items.dtype  # the value is put among the others as it is, so it has to be of their kind
        return lambda items, index, value: tuple_setitem(items, index, kind(value))
    return lambda items, index, value: tuple_setitem(items, index, value)


# Hashes. ----------------------------------------------------------------------------------------
@njit(inline="always")
def _scramble(x):
    x = np.uint64(x) * np.uint64(bits.HASH_MULTIPLIER)
    return x ^ (x >> np.uint64(32))


def _mix_unsigned(key):
    """Only for its overload below."""


@overload(_mix_unsigned)
def _mix_unsigned_of(key):
    if isinstance(key, types.Integer | types.Boolean):
        return lambda key: _scramble(np.uint64(key))
    if isinstance(key, WideType):
        return _mix_wide(key.width // WORD)
    if not isinstance(key, types.BaseTuple):
        return None
    lines = ["def mix_items(key):", f"    h = np.uint64({len(key)})"]
    lines += [f"    h = _scramble(h + _mix_unsigned(key[{i}]))" for i in range(len(key))]
    scope: dict[str, Any] = {"np": np, "_scramble": _scramble, "_mix_unsigned": _mix_unsigned}
    exec("\n".join([*lines, "    return h"]), scope)
    return scope["mix_items"]


def _mix_wide(words: int) -> Any:
    """The hash of a wide key: of its words without leading ones that only repeat the sign, as for Python's integers."""

    def mix_words(key):
        last = words - 1
        while last > 0:
            high = word_of(key, last)
            fits = high == 0 or (high == -1 and word_of(key, last - 1) < 0)
            if not fits:
                break
            last -= 1
        h = _scramble(np.uint64(word_of(key, last)))
        for index in range(last - 1, -1, -1):
            h = _scramble(np.uint64(2) + h)
            h = _scramble(h + _scramble(np.uint64(word_of(key, index))))
        return h

    return mix_words


@overload(bits.mix)
def _mix(key):
    return lambda key: np.int64(_mix_unsigned(key))
