"""The compiled forms of arrays that Python lends: `borrowed`, `mapped` and `locks` of this folder have the others.

Once this module is imported, Numba uses these forms wherever compiled code names one of the others.
"""

import operator
import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import StructModel
from numba.core.imputils import lower_builtin
from numba.extending import NativeValue, intrinsic, overload, register_model, typeof_impl, unbox
from numba.np.numpy_support import from_dtype

from gamesearch.compiler import locks
from gamesearch.compiler import mapped as mapped_arrays
from gamesearch.compiler.borrowed import Borrowed, can_fetch_early, fetch_early
from gamesearch.compiler.calls import call, instructions_for
from gamesearch.compiler.game_types import word_in
from gamesearch.compiler.mapped import WORDS

WORD = ir.IntType(64)


# Borrowed. ---------------------------------------------------------------------------------------
class BorrowedArray(types.Array):
    """The type of a borrowed array."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, 1, "C", name=f"borrowed({dtype})")


@register_model(BorrowedArray)
class _BorrowedModel(StructModel):
    """Where the elements are, and how many."""

    def __init__(self, manager: Any, typ: BorrowedArray) -> None:
        super().__init__(manager, typ, [("data", types.CPointer(typ.dtype)), ("length", types.intp)])


@typeof_impl.register(Borrowed)
def _typeof_borrowed(borrowed: Borrowed, c: Any) -> BorrowedArray:
    return BorrowedArray(from_dtype(borrowed.array.dtype))


@unbox(BorrowedArray)
def _unbox_borrowed(typ: Any, obj: Any, c: Any) -> Any:
    array = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    array.data = c.builder.inttoptr(word_in(c, obj, "address"), array.data.type)
    array.length = word_in(c, obj, "length")
    return NativeValue(array._getvalue(), is_error=c.pyapi.c_api_error())


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of the element that the first two arguments name: an array, and an index that is not negative."""
    array = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [context.cast(builder, arguments[1], signature.args[1], types.intp)])


@lower_builtin(len, BorrowedArray)
def _length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).length


@lower_builtin(operator.getitem, BorrowedArray, types.Integer)
def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """An element; of records, its address."""
    address = _address(context, builder, signature, arguments)
    return context.unpack_value(builder, signature.args[0].dtype, address)


@lower_builtin(operator.setitem, BorrowedArray, types.Integer, types.Any)
def _set_element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    dtype = signature.args[0].dtype
    value = context.cast(builder, arguments[2], signature.args[2], dtype)
    context.pack_value(builder, dtype, value, _address(context, builder, signature, arguments))
    return context.get_dummy_value()


@instructions_for(can_fetch_early, types.boolean)
def _can_fetch_early(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return context.get_constant(types.boolean, True)


@instructions_for(fetch_early, types.none, [types.Type], types.Integer)
def _fetch_early(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address = builder.bitcast(_address(context, builder, signature, arguments), ir.IntType(8).as_pointer())
    how = map(ir.IntType(32), (0, 3, 1))  # to read, to keep in all caches, data
    call(builder, "llvm.prefetch.p0", ir.VoidType(), [address, *how])
    return context.get_dummy_value()


# Mapped: numbers read by the address of their array. ----------------------------------------------
@intrinsic
def _number_at(context, address, width):
    """The number of `width` bytes, 1, 2 or 8, at an address."""

    def code(context, builder, signature, arguments):
        place, size = arguments
        found = cgutils.alloca_once(builder, WORD)

        for bits in (8, 16, 64):
            with builder.if_then(builder.icmp_unsigned("==", size, WORD(bits // 8))):
                value = builder.load(builder.inttoptr(place, ir.IntType(bits).as_pointer()), align=1)
                builder.store(builder.zext(value, WORD), found)
        return builder.load(found)

    return types.int64(types.int64, types.int64), code


@overload(mapped_arrays.mapped_length)
def _mapped_length(arrays, place):
    if not isinstance(arrays, types.Array):
        return None

    def length(arrays, place):
        return arrays[WORDS * place + 1] if 0 <= place < len(arrays) // WORDS else 0

    return length


@overload(mapped_arrays.mapped_at)
def _mapped_at(arrays, place, number):
    if not isinstance(arrays, types.Array):
        return None

    def item(arrays, place, number):
        width = arrays[WORDS * place + 2]
        return _number_at(arrays[WORDS * place] + number * width, width)

    return item


# Locked. -----------------------------------------------------------------------------------------
def _word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of the first word: of a lock, the only one."""
    return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data


@instructions_for(locks.acquire, types.int64, [types.int64])
def _acquire(context, builder, signature, arguments):
    word = _word(context, builder, signature, arguments)
    ask, wait, taken = (builder.append_basic_block(f"lock.{name}") for name in ("ask", "wait", "taken"))
    builder.branch(ask)
    builder.position_at_end(ask)
    before = builder.cmpxchg(word, WORD(0), WORD(1), "acquire", "monotonic")
    builder.cbranch(builder.extract_value(before, 1), taken, wait)
    builder.position_at_end(wait)
    if hasattr(os, "sched_yield"):  # the thread that has the lock may wait for this one's processor
        call(builder, "sched_yield", ir.IntType(32), [])
    builder.branch(ask)
    builder.position_at_end(taken)
    return WORD(1)


@instructions_for(locks.release, types.int64, [types.int64])
def _release(context, builder, signature, arguments):
    builder.store_atomic(WORD(0), _word(context, builder, signature, arguments), "release", 8)
    return WORD(0)


@instructions_for(locks.add_atomically, types.int64, [types.Integer], types.Integer, types.Integer)
def _add_atomically(context, builder, signature, arguments):
    typ, _, more_type = signature.args
    more = context.cast(builder, arguments[2], more_type, typ.dtype)
    before = builder.atomic_rmw("add", _address(context, builder, signature, arguments), more, "monotonic")
    return context.cast(builder, before, typ.dtype, types.int64)
