"""The compiled forms of the functions on arrays in `gamesearch.compiler.kernels` and `gamesearch.toolkit.vectors`.

After this module is imported, Numba uses the compiled form wherever compiled code calls one of the functions.
"""

import operator
import os
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.datamodel.models import StructModel
from numba.core.imputils import lower_builtin
from numba.extending import NativeValue, intrinsic, overload, register_model, typeof_impl, unbox
from numba.np.arrayobj import make_array
from numba.np.numpy_support import from_dtype

from gamesearch.compiler import kernels
from gamesearch.compiler.bit_operations import WIDTHS, WORD_BITS, WideType, declare_wide_fields, with_word, word_of
from gamesearch.compiler.game_types import word_in
from gamesearch.compiler.kernels import WORDS, BorrowedArray, can_fetch_early, fetch_early
from gamesearch.compiler.numba_internals import call, instructions_for, value_of
from gamesearch.toolkit import vectors

__all__ = ["row_length"]

WORD = ir.IntType(64)


# Borrowed arrays. -------------------------------------------------------------------------------
class BorrowedArrayType(types.Array):
    """Numba's type of a `BorrowedArray`."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, 1, "C", name=f"borrowed({dtype})")


@register_model(BorrowedArrayType)
class _BorrowedModel(StructModel):
    """A borrowed array in compiled code: the address of its data, and the number of its elements."""

    def __init__(self, manager: Any, typ: BorrowedArrayType) -> None:
        super().__init__(manager, typ, [("data", types.CPointer(typ.dtype)), ("length", types.intp)])


@typeof_impl.register(BorrowedArray)
def _typeof_borrowed(borrowed: BorrowedArray, c: Any) -> BorrowedArrayType:
    return BorrowedArrayType(from_dtype(borrowed.array.dtype))


@unbox(BorrowedArrayType)
def _unbox_borrowed(typ: Any, obj: Any, c: Any) -> Any:
    array = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    array.data = c.builder.inttoptr(word_in(c, obj, "address"), array.data.type)
    array.length = word_in(c, obj, "length")
    return NativeValue(value_of(array), is_error=c.pyapi.c_api_error())


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of an element. The first two arguments are the array and an index, which must not be negative."""
    array = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [context.cast(builder, arguments[1], signature.args[1], types.intp)])


@lower_builtin(len, BorrowedArrayType)
def _length(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).length


@lower_builtin(operator.getitem, BorrowedArrayType, types.Integer)
def _element(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Read an element of an array. For an array of records, the result is the address of the record."""
    address = _address(context, builder, signature, arguments)
    return context.unpack_value(builder, signature.args[0].dtype, address)


@lower_builtin(operator.setitem, BorrowedArrayType, types.Integer, types.Any)
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
    how = map(ir.IntType(32), (0, 3, 1))  # prefetch for reading, into all levels of the cache, as data
    call(builder, "llvm.prefetch.p0", ir.VoidType(), [address, *how])
    return context.get_dummy_value()


# Mapped arrays, which are read by their address. --------------------------------------------------
@intrinsic
def _number_at(context, address, width):
    """Read an integer at an address. The integer has `width` bytes: 1, 2 or 8."""

    def code(context, builder, signature, arguments):
        place, size = arguments
        found = cgutils.alloca_once(builder, WORD)

        for bits in (8, 16, 64):
            with builder.if_then(builder.icmp_unsigned("==", size, WORD(bits // 8))):
                value = builder.load(builder.inttoptr(place, ir.IntType(bits).as_pointer()), align=1)
                builder.store(builder.zext(value, WORD), found)
        return builder.load(found)

    return types.int64(types.int64, types.int64), code


@overload(kernels.mapped_length)
def _mapped_length(arrays, place):
    if not isinstance(arrays, types.Array):
        return None

    def length(arrays, place):
        return arrays[WORDS * place + 1] if 0 <= place < len(arrays) // WORDS else 0

    return length


@overload(kernels.mapped_at)
def _mapped_at(arrays, place, number):
    if not isinstance(arrays, types.Array):
        return None

    def item(arrays, place, number):
        width = arrays[WORDS * place + 2]
        return _number_at(arrays[WORDS * place] + number * width, width)

    return item


# Locked. -----------------------------------------------------------------------------------------
def _word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of a lock, which is the first word of an array."""
    return cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data


@instructions_for(kernels.acquire, types.int64, [types.int64])
def _acquire(context, builder, signature, arguments):
    word = _word(context, builder, signature, arguments)
    ask, wait, taken = (builder.append_basic_block(f"lock.{name}") for name in ("ask", "wait", "taken"))
    builder.branch(ask)
    builder.position_at_end(ask)
    before = builder.cmpxchg(word, WORD(0), WORD(1), "acquire", "monotonic")
    builder.cbranch(builder.extract_value(before, 1), taken, wait)
    builder.position_at_end(wait)
    if hasattr(os, "sched_yield"):  # let another thread run, because it may hold the lock
        call(builder, "sched_yield", ir.IntType(32), [])
    builder.branch(ask)
    builder.position_at_end(taken)
    return WORD(1)


@instructions_for(kernels.release, types.int64, [types.int64])
def _release(context, builder, signature, arguments):
    builder.store_atomic(WORD(0), _word(context, builder, signature, arguments), "release", 8)
    return WORD(0)


@instructions_for(kernels.add_atomically, types.int64, [types.Integer], types.Integer, types.Integer)
def _add_atomically(context, builder, signature, arguments):
    typ, _, more_type = signature.args
    more = context.cast(builder, arguments[2], more_type, typ.dtype)
    before = builder.atomic_rmw("add", _address(context, builder, signature, arguments), more, "monotonic")
    return context.cast(builder, before, typ.dtype, types.int64)


def _leaves(typ: Any, text: str) -> list[tuple[str, Any]]:
    """Return a pair for each number in nested tuples: an expression and a type. A wide integer has such a pair for each
    64-bit word."""
    if isinstance(typ, WideType):
        return [(f"word_of({text}, {index})", types.int64) for index in range(typ.bitwidth // WORD_BITS)]
    if not isinstance(typ, types.BaseTuple):
        return [(text, typ)]
    return [leaf for i, item in enumerate(typ) for leaf in _leaves(item, f"{text}[{i}]")]


def row_length(state: Any) -> int:
    """The number of 64-bit integers needed to store a state."""
    declare_wide_fields(state)  # Numba may not know the state's class yet
    return len(_leaves(typeof(state), ""))


@overload(kernels.save_state)
def _save_state(rows, number, state):
    if not all(isinstance(typ, types.Integer | types.Boolean) for _, typ in _leaves(state, "")):
        return None
    lines = ["def save(rows, number, state):"]
    lines += [f"    rows[number, {i}] = np.int64({text})" for i, (text, _) in enumerate(_leaves(state, "state"))]
    scope: dict[str, Any] = {"np": np, "word_of": word_of}
    exec("\n".join(lines), scope)
    return scope["save"]


@overload(kernels.load_state)
def _load_state(rows, number, like):
    scope: dict[str, Any] = {"np": np, "with_word": with_word}
    numbers = iter(range(len(_leaves(like, ""))))

    def source(typ: Any) -> str:
        if isinstance(typ, WideType):
            scope[str(typ)] = next(kind for kind, width in WIDTHS.items() if width == typ.bitwidth)
            words = [f"rows[number, {next(numbers)}]" for _ in range(typ.bitwidth // WORD_BITS)]
            text = f"{typ}({words.pop()})"
            while words:
                text = f"with_word({text}, {words.pop()})"
            return text
        if not isinstance(typ, types.BaseTuple):
            name = f"as_{typ}"
            scope[name] = bool if isinstance(typ, types.Boolean) else getattr(np, str(typ))
            return f"{name}(rows[number, {next(numbers)}])"
        items = ", ".join(source(item) for item in typ)
        if isinstance(typ, types.BaseNamedTuple):
            scope[typ.instance_class.__name__] = typ.instance_class
            return f"{typ.instance_class.__name__}({items})"
        return f"({items},)"

    exec(f"def load(rows, number, like):\n    return {source(like)}", scope)
    return scope["load"]


NUMBER = ir.DoubleType()
ROW = [types.float64]


def _row(context: Any, builder: Any, typ: Any, value: Any) -> tuple[Any, Any]:
    """The address and the length of an array."""
    array = make_array(typ)(context, builder, value)
    return array.data, builder.extract_value(array.shape, 0)


def _check(context: Any, builder: Any, first: Any, count: Any, length: Any) -> None:
    """Raise IndexError unless the indices from `first` to `first + count - 1` exist in an array of the given length."""
    zero, end = ir.Constant(WORD, 0), builder.add(first, count)
    is_wrong = builder.or_(builder.icmp_signed("<", first, zero), builder.icmp_signed("<", count, zero))
    is_wrong = builder.or_(is_wrong, builder.icmp_signed(">", end, length))
    with builder.if_then(is_wrong, likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("the array has too few numbers",))


def _loops(builder: Any, count: Any) -> tuple[tuple[Any, Any], ...]:
    """Make two loops, one over vectors of LANES numbers, and one over the remaining numbers. The type of the items is
    returned with each loop."""
    lanes = ir.Constant(WORD, vectors.LANES)
    whole = builder.mul(builder.sdiv(count, lanes), lanes)
    return (
        (ir.VectorType(NUMBER, vectors.LANES), cgutils.for_range_slice(builder, WORD(0), whole, lanes, WORD)),
        (NUMBER, cgutils.for_range_slice(builder, whole, count, WORD(1), WORD)),
    )


def _fill_vector(builder: Any, value: Any, kind: Any) -> Any:
    """A vector in which every element has the same value."""
    if not isinstance(kind, ir.VectorType):
        return value
    found = ir.Constant(kind, ir.Undefined)
    for lane in range(kind.count):
        found = builder.insert_element(found, value, ir.Constant(ir.IntType(32), lane))
    return found


def _place(builder: Any, data: Any, index: Any, kind: Any) -> Any:
    """The address of the number or vector at an index."""
    address = builder.gep(data, [index])
    return address if kind is NUMBER else builder.bitcast(address, kind.as_pointer())


def _load_element(builder: Any, data: Any, index: Any, kind: Any) -> Any:
    return builder.load(_place(builder, data, index, kind), align=8)


@instructions_for(vectors.add_multiple, types.none, ROW, types.Integer, ROW, types.Integer, types.Integer, types.Number)
def _add_multiple(context, builder, signature, arguments):
    kinds = signature.args
    target, target_length = _row(context, builder, kinds[0], arguments[0])
    source, source_length = _row(context, builder, kinds[2], arguments[2])
    start, first, count = (context.cast(builder, arguments[i], kinds[i], types.int64) for i in (1, 3, 4))
    factor = context.cast(builder, arguments[5], kinds[5], types.float64)
    _check(context, builder, start, count, target_length)
    _check(context, builder, first, count, source_length)

    for kind, loop in _loops(builder, count):
        with loop as (index, _):
            place = _place(builder, target, builder.add(start, index), kind)
            read = _load_element(builder, source, builder.add(first, index), kind)
            added = builder.fmul(_fill_vector(builder, factor, kind), read)
            builder.store(builder.fadd(builder.load(place, align=8), added), place, align=8)
    return context.get_dummy_value()


@instructions_for(vectors.product_of_rows, types.float64, ROW, ROW, types.Integer)
def _product_of_rows(context, builder, signature, arguments):
    kinds = signature.args
    row, count = _row(context, builder, kinds[0], arguments[0])
    source, length = _row(context, builder, kinds[1], arguments[1])
    first = context.cast(builder, arguments[2], kinds[2], types.int64)
    _check(context, builder, first, count, length)
    sums = cgutils.alloca_once_value(builder, ir.Constant(ir.VectorType(NUMBER, vectors.LANES), [0.0] * vectors.LANES))
    total = cgutils.alloca_once_value(builder, ir.Constant(NUMBER, 0.0))

    for kind, loop in _loops(builder, count):
        if kind is NUMBER:
            found = builder.load(sums)
            for lane in range(vectors.LANES):
                each = builder.extract_element(found, ir.Constant(ir.IntType(32), lane))
                builder.store(builder.fadd(builder.load(total), each), total)
        with loop as (index, _):
            place = total if kind is NUMBER else sums
            factors = (
                _load_element(builder, row, index, kind),
                _load_element(builder, source, builder.add(first, index), kind),
            )
            builder.store(builder.fadd(builder.load(place), builder.fmul(*factors)), place)
    return builder.load(total)


@instructions_for(vectors.squash, types.none, ROW)
def _squash(context, builder, signature, arguments):
    row, count = _row(context, builder, signature.args[0], arguments[0])

    for kind, loop in _loops(builder, count):
        with loop as (index, _):
            place = _place(builder, row, index, kind)
            x = builder.load(place, align=8)
            one = _fill_vector(builder, ir.Constant(NUMBER, 1.0), kind)
            name = "llvm.sqrt.f64" if kind is NUMBER else f"llvm.sqrt.v{vectors.LANES}f64"
            length = call(builder, name, kind, [builder.fadd(one, builder.fmul(x, x))])
            builder.store(builder.fdiv(x, length), place, align=8)
    return context.get_dummy_value()


@instructions_for(vectors.holds_either, types.boolean, [types.Integer], types.Integer, types.Integer)
def _holds_either(context, builder, signature, arguments):
    typ, start_type, even_type = signature.args
    data, _ = _row(context, builder, typ, arguments[0])
    start = context.cast(builder, arguments[1], start_type, types.int64)
    even = context.cast(builder, arguments[2], even_type, typ.dtype)
    kind = ir.VectorType(context.get_data_type(typ.dtype), vectors.LOOKED_AT)
    address = builder.bitcast(builder.gep(data, [start]), kind.as_pointer())
    found = builder.load(address, align=typ.dtype.bitwidth // 8)
    ones = ir.Constant(kind, [1] * vectors.LOOKED_AT)
    are_equal = builder.icmp_unsigned(
        "==", builder.or_(found, ones), builder.or_(_fill_vector(builder, even, kind), ones)
    )
    word = builder.bitcast(are_equal, ir.IntType(vectors.LOOKED_AT))
    return builder.icmp_unsigned("!=", word, ir.Constant(word.type, 0))
