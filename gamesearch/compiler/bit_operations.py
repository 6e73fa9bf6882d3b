"""The compiled forms of the helpers in `gamesearch.toolkit.bits`; each computes what its interpreted form does.

Once this module is imported, Numba uses them wherever compiled code names one of those helpers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.datamodel.models import PointerModel
from numba.core.imputils import lower_constant
from numba.extending import overload, register_model, typeof_impl

from gamesearch.compiler.calls import call, instructions_for
from gamesearch.compiler.wide_bits import INTEGER, WORD, WideType, word_of
from gamesearch.toolkit import bits


# Bits. -----------------------------------------------------------------------------------------
def _bind(function: Any, count: Callable[[Any, Any], Any]) -> None:
    """Let compiled code call a function of an integer that LLVM has an instruction for."""

    @instructions_for(function, types.int64, INTEGER)
    def _call(context, builder, signature, arguments):
        kind = signature.args[0] if isinstance(signature.args[0], WideType) else types.int64
        value = context.cast(builder, arguments[0], signature.args[0], kind)
        return builder.trunc(count(builder, value), ir.IntType(WORD))


_bind(bits.popcount, lambda builder, x: builder.ctpop(x))
_bind(bits.low_bit_index, lambda builder, x: builder.cttz(x, cgutils.false_bit))
_bind(bits.high_bit_index, lambda builder, x: builder.sub(x.type(x.type.width - 1), builder.ctlz(x, cgutils.false_bit)))


def _has_bmi2(context: Any) -> bool:
    """Whether the processor has the instructions PEXT and PDEP."""
    return "+bmi2" in context.codegen().magic_tuple()[2].split(",")


def _bind_instruction(function: Any, accepted: Any, name: str, loop: Callable[..., Any], word: Any) -> None:
    """Let compiled code call a function of two words: one instruction where the processor has it, else a loop."""

    @instructions_for(function, types.int64, accepted, accepted)
    def _call(context, builder, signature, arguments):
        kinds = zip(arguments, signature.args, strict=True)
        words = [context.cast(builder, each, kind, types.uint64) for each, kind in kinds]
        if not _has_bmi2(context):
            return context.compile_internal(builder, loop, types.int64(word, word), words)
        return call(builder, name, ir.IntType(WORD), words)


def packed_by_loop(board: Any, mask: Any) -> Any:
    """What `packed` makes of two words without sign, bit by bit."""
    found, bit = np.uint64(0), np.uint64(1)
    while mask != np.uint64(0):
        if board & mask & (~mask + np.uint64(1)):
            found |= bit
        bit <<= np.uint64(1)
        mask &= mask - np.uint64(1)
    return np.int64(found)


_bind_instruction(bits.packed, types.Integer | WideType, "llvm.x86.bmi.pext.64", packed_by_loop, types.uint64)
_bind_instruction(bits.spread, types.Integer, "llvm.x86.bmi.pdep.64", bits.spread, types.int64)


@instructions_for(bits.bits_of, types.int64, types.Float)
def _bits_of(context, builder, signature, arguments):
    value = context.cast(builder, arguments[0], signature.args[0], types.float64)
    return builder.bitcast(value, ir.IntType(WORD))


@overload(bits.replaced)
def _replaced(items, index, value):
    from numba.cpython.unsafe.tuple import tuple_setitem

    if isinstance(items, types.UniTuple) and isinstance(items.dtype, types.Integer | types.Float):
        kind = items.dtype  # the value is put among the others as it is, so it has to be of their kind
        return lambda items, index, value: tuple_setitem(items, index, kind(value))
    return lambda items, index, value: tuple_setitem(items, index, value)


# Tables of boards: words in the machine code, of which one load reads one. ------------------------
class TableType(types.CPointer):
    """A `BoardTable`: the address of its boards in the machine code, from which Numba reads one by its index."""


register_model(TableType)(PointerModel)
TABLE = TableType(WideType(WORD))


@typeof_impl.register(bits.BoardTable)
def _typeof_table(value, c):
    return TABLE


@lower_constant(TableType)
def _lower_table(context, builder, typ, value):
    words = ir.Constant(ir.ArrayType(ir.IntType(WORD), len(value)), [int(each) & bits.ALL_BITS for each in value])
    return builder.bitcast(cgutils.global_constant(builder, ".boards", words), ir.IntType(WORD).as_pointer())


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
    if isinstance(key, WideType) and key.bitwidth == WORD:
        return lambda key: _scramble(word_of(key, 0))
    if isinstance(key, WideType):
        return _mix_wide(key.bitwidth // WORD)
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
