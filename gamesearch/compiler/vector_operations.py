"""Compiled forms of `gamesearch.toolkit.vectors`: several numbers at a time, then the rest one by one."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array

from gamesearch.compiler.calls import call, instructions_for
from gamesearch.toolkit import vectors

WORD, NUMBER = ir.IntType(64), ir.DoubleType()
ROW = [types.float64]


def _row(context: Any, builder: Any, typ: Any, value: Any) -> tuple[Any, Any]:
    """The address and the length of an array."""
    array = make_array(typ)(context, builder, value)
    return array.data, builder.extract_value(array.shape, 0)


def _check(context: Any, builder: Any, first: Any, count: Any, length: Any) -> None:
    """Raise IndexError where an array has not so many numbers from the first."""
    zero, end = ir.Constant(WORD, 0), builder.add(first, count)
    is_wrong = builder.or_(builder.icmp_signed("<", first, zero), builder.icmp_signed("<", count, zero))
    is_wrong = builder.or_(is_wrong, builder.icmp_signed(">", end, length))
    with builder.if_then(is_wrong, likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("there are not so many numbers",))


def _loops(builder: Any, count: Any) -> tuple[tuple[Any, Any], ...]:
    """The loops over LANES numbers at a time and then over each, with the types of what one index stands for."""
    lanes = ir.Constant(WORD, vectors.LANES)
    whole = builder.mul(builder.sdiv(count, lanes), lanes)
    return (
        (ir.VectorType(NUMBER, vectors.LANES), cgutils.for_range_slice(builder, WORD(0), whole, lanes, WORD)),
        (NUMBER, cgutils.for_range_slice(builder, whole, count, WORD(1), WORD)),
    )


def _spread(builder: Any, value: Any, kind: Any) -> Any:
    """A number as often as a vector has places."""
    if not isinstance(kind, ir.VectorType):
        return value
    found = ir.Constant(kind, ir.Undefined)
    for lane in range(kind.count):
        found = builder.insert_element(found, value, ir.Constant(ir.IntType(32), lane))
    return found


def _place(builder: Any, data: Any, index: Any, kind: Any) -> Any:
    """Where the numbers at an index are."""
    address = builder.gep(data, [index])
    return address if kind is NUMBER else builder.bitcast(address, kind.as_pointer())


def _read(builder: Any, data: Any, index: Any, kind: Any) -> Any:
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
            read = _read(builder, source, builder.add(first, index), kind)
            added = builder.fmul(_spread(builder, factor, kind), read)
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
            factors = _read(builder, row, index, kind), _read(builder, source, builder.add(first, index), kind)
            builder.store(builder.fadd(builder.load(place), builder.fmul(*factors)), place)
    return builder.load(total)


@instructions_for(vectors.squash, types.none, ROW)
def _squash(context, builder, signature, arguments):
    row, count = _row(context, builder, signature.args[0], arguments[0])

    for kind, loop in _loops(builder, count):
        with loop as (index, _):
            place = _place(builder, row, index, kind)
            x = builder.load(place, align=8)
            one = _spread(builder, ir.Constant(NUMBER, 1.0), kind)
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
    are_equal = builder.icmp_unsigned("==", builder.or_(found, ones), builder.or_(_spread(builder, even, kind), ones))
    word = builder.bitcast(are_equal, ir.IntType(vectors.LOOKED_AT))
    return builder.icmp_unsigned("!=", word, ir.Constant(word.type, 0))
