"""Defines integers of 64 to 512 bits for compiled code, and compiles the functions of `gamesearch.toolkit.bits`.

LLVM computes with integers of any width. Numba has no types for integers of more than 64 bits, and converts the sum of
a signed and an unsigned integer to a float. The types of this module remove these limits of Numba. Interpreted code
uses Python's integers. The number of bits in a shift must be less than the width. Results that do not fit into the
width are truncated.

After this module is imported, Numba uses the compiled form wherever compiled code calls one of the helpers.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.datamodel.models import IntegerModel, PointerModel
from numba.core.imputils import lower_builtin, lower_cast, lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing.templates import signature
from numba.extending import NativeValue, box, intrinsic, overload, register_model, typeof_impl, unbox

from gamesearch.compiler.numba_internals import call, declare, instructions_for
from gamesearch.game import Game
from gamesearch.toolkit import bits

__all__ = [
    "INTEGER", "WIDTHS", "WORD_BITS", "WideConstant", "WideType", "as_wide_constant", "declare_wide_fields",
    "pack_bits_by_loop", "with_word", "word_of",
]  # fmt: skip

WORD_BITS = 64
WIDTHS = {bits.Board64: WORD_BITS, bits.Wide128: 128, bits.Wide256: 256, bits.Wide512: 512}


class WideType(types.Number):
    """The type of integers with `bitwidth` bits; integers with 64 bits are unsigned. If two operands have different
    widths, the narrower operand is widened."""

    def __init__(self, bitwidth: int) -> None:
        self.bitwidth, self.signed = bitwidth, bitwidth > WORD_BITS
        super().__init__(name=f"wide{bitwidth}")

    def can_convert_from(self, typingctx, other):
        is_narrower = isinstance(other, WideType) and other.bitwidth < self.bitwidth
        return Conversion.promote if is_narrower or isinstance(other, types.Integer | types.Boolean) else None

    def unify(self, typingctx, other):
        return widest((self, other))


register_model(WideType)(IntegerModel)
INTEGER = types.Integer | types.Boolean | WideType
"""Numba's classes of types for whole numbers."""


def widest(kinds: tuple[Any, ...]) -> WideType | None:
    """Return the widest of several integer types. Return None if none of the types is wide, or if any of them is not an
    integer type."""
    wide = [each for each in kinds if isinstance(each, WideType)]
    if not wide or not all(isinstance(each, INTEGER) for each in kinds):
        return None
    return max(wide, key=lambda each: each.bitwidth)


class WideConstant(NamedTuple):
    """A Python integer, and the width of the wide integer that replaces it in compiled code."""

    value: int
    width: int


def as_wide_constant(value: Any, game: Game) -> Any:
    """Convert a constant. If an integer of the constant does not fit into 64 signed bits, all its integers become
    wide."""
    if isinstance(value, bits.BoardTable):
        return value
    numbers = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(number, int) for number in numbers):
        return tuple(as_wide_constant(item, game) for item in value) if isinstance(value, tuple) else value
    longest = max(number.bit_length() for number in numbers)
    if longest < WORD_BITS:
        return value
    state: Any = type(game.initial())
    is_board = longest == WORD_BITS and min(numbers) >= 0 and WORD_BITS in _field_widths(state)  # as in the states
    width = WORD_BITS if is_board else next(width for width in WIDTHS.values() if longest < width)
    wide = tuple(WideConstant(number, width) for number in numbers)
    return wide if isinstance(value, tuple) else wide[0]


@typeof_impl.register(WideConstant)
def _typeof_constant(value, c):
    return WideType(value.width)


# States with wide fields. ------------------------------------------------------------------------
def declare_wide_fields(value: Any) -> None:
    """Tell Numba about each class of tuples that has wide fields. `value` is a state or another tuple; its items may
    also belong to such classes. Numba finds the types of all other tuples by itself."""
    if not isinstance(value, tuple):
        return
    for kind in type(value).__mro__:
        if any(_field_widths(kind)) and kind not in typeof_impl.registry:
            typeof_impl.register(kind, _typeof_wide_state)  # Numba uses this type for derived classes, too
    for item in value:
        declare_wide_fields(item)


def _typeof_wide_state(value, c):
    """The type that Numba usually gives to a tuple, except that fields annotated as wide have wide types."""
    widths = _field_widths(value.__class__)
    kinds = [WideType(width) if width else typeof_impl(item, c) for item, width in zip(value, widths, strict=True)]
    return None if any(kind is None for kind in kinds) else types.BaseTuple.from_types(kinds, type(value))


@functools.cache
def _field_widths(kind: type) -> tuple[int, ...]:
    """Return the width in bits of each wide field of a NamedTuple, and 0 for each other field. The result is empty for
    other tuples."""
    fields = getattr(kind, "_fields", ())
    try:
        hints = get_type_hints(kind) if fields else {}
    except NameError:  # an annotation whose name is imported only for type checking
        hints = {}
    return tuple(WIDTHS.get(hints.get(field, int), 0) for field in fields)


@lower_constant(WideType)
def _lower_constant(context, builder, typ, value):
    return ir.Constant(ir.IntType(typ.bitwidth), value.value)


# Conversion from and to Python's integers, word by word. -----------------------------------------
@unbox(WideType)
def _unbox(typ, obj, c):
    whole = ir.IntType(typ.bitwidth)
    value = ir.Constant(whole, 0)
    for place in range(0, typ.bitwidth, WORD_BITS):
        distance = c.pyapi.long_from_longlong(ir.Constant(ir.IntType(WORD_BITS), place))
        mask = c.pyapi.long_from_ulonglong(ir.Constant(ir.IntType(WORD_BITS), bits.ALL_BITS))
        shifted = c.pyapi.number_rshift(obj, distance)
        word = c.pyapi.number_and(shifted, mask)
        number = c.builder.zext(c.pyapi.long_as_ulonglong(word), whole)
        value = c.builder.or_(value, c.builder.shl(number, ir.Constant(whole, place)))
        for each in (distance, mask, shifted, word):
            c.pyapi.decref(each)
    return NativeValue(value, is_error=c.pyapi.c_api_error())


@box(WideType)
def _box(typ, value, c):
    whole, word = ir.IntType(typ.bitwidth), ir.IntType(WORD_BITS)
    result = c.pyapi.long_from_longlong(ir.Constant(word, 0))
    for place in reversed(range(0, typ.bitwidth, WORD_BITS)):
        part = c.builder.trunc(c.builder.ashr(value, ir.Constant(whole, place)), word)
        has_sign = typ.signed and place + WORD_BITS == typ.bitwidth
        number = c.pyapi.long_from_longlong(part) if has_sign else c.pyapi.long_from_ulonglong(part)
        distance = c.pyapi.long_from_longlong(ir.Constant(word, WORD_BITS))
        shifted = c.pyapi.number_lshift(result, distance)
        joined = c.pyapi.number_or(shifted, number)
        for each in (number, distance, shifted, result):
            c.pyapi.decref(each)
        result = joined
    return result


# Conversion from one width to another. ----------------------------------------------------------
@lower_cast(types.Integer, WideType)
@lower_cast(WideType, types.Integer)
@lower_cast(WideType, WideType)
def _to_another_width(context, builder, from_type, to_type, value):
    """Truncate or extend an integer. A signed integer is extended by its sign bit, and an unsigned integer by zeros."""
    kind = ir.IntType(to_type.bitwidth)
    if to_type.bitwidth <= value.type.width:
        return builder.trunc(value, kind)
    return (builder.sext if from_type.signed else builder.zext)(value, kind)


@lower_cast(types.Boolean, WideType)
def _boolean_to_wide(context, builder, from_type, to_type, value):
    return builder.zext(builder.icmp_unsigned("!=", value, value.type(0)), ir.IntType(to_type.bitwidth))


@lower_cast(WideType, types.Boolean)
def _wide_to_boolean(context, builder, from_type, to_type, value):
    return builder.icmp_signed("!=", value, value.type(0))


# Operators, and the constructors of wide integers. -----------------------------------------------
def _bind_operator(function: Any, count: int, emit: Callable[..., Any], result: Any = None) -> None:
    """Define an operation on `count` integers, at least one of them wide. By default, the result has the widest
    type."""

    def infer_type(args: tuple[Any, ...]) -> Any:
        wide = widest(args) if len(args) == count else None
        return None if wide is None else signature(result or wide, *[wide] * count)

    declare(function, infer_type)
    lower_builtin(function, *[WideType] * count)(emit)


def _by(instruction: str) -> Callable[..., Any]:
    """Return a function that emits one instruction."""

    def emit(context, builder, signature, arguments):
        return getattr(builder, instruction)(*arguments)

    return emit


def _comparing(sign: str) -> Callable[..., Any]:
    """Return a function that emits a comparison."""

    def emit(context, builder, signature, arguments):
        compare = builder.icmp_signed if signature.args[0].signed else builder.icmp_unsigned
        return compare(sign, *arguments)

    return emit


def _shift_right(context, builder, signature, arguments):
    return (builder.ashr if signature.return_type.signed else builder.lshr)(*arguments)


def _is_zero(context, builder, signature, arguments):
    return builder.icmp_signed("==", arguments[0], arguments[0].type(0))


def _cast(context, builder, signature, arguments):
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


for _names, _emit in (
    (("add", "iadd"), _by("add")), (("sub", "isub"), _by("sub")), (("mul", "imul"), _by("mul")),
    (("and_", "iand"), _by("and_")), (("or_", "ior"), _by("or_")), (("xor", "ixor"), _by("xor")),
    (("lshift", "ilshift"), _by("shl")), (("rshift", "irshift"), _shift_right),
):  # fmt: skip
    for _name in _names:
        _bind_operator(getattr(operator, _name), 2, _emit)

for _name, _sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _bind_operator(getattr(operator, _name), 2, _comparing(_sign), types.boolean)

_bind_operator(operator.invert, 1, _by("not_"))
_bind_operator(operator.neg, 1, _by("neg"))
_bind_operator(operator.not_, 1, _is_zero, types.boolean)
_bind_operator(bool, 1, _cast, types.boolean)
_bind_operator(int, 1, _cast, types.int64)

for _kind, _width in WIDTHS.items():
    instructions_for(_kind, WideType(_width), INTEGER)(_cast)


# Words. -----------------------------------------------------------------------------------------
@intrinsic
def word_of(context, x, index):
    """The 64-bit word of x with this index, as a signed integer. Index 0 is the lowest word."""

    def code(context, builder, signature, arguments):
        value, number = arguments
        place = builder.mul(builder.zext(number, value.type), value.type(WORD_BITS))
        return builder.trunc(builder.lshr(value, place), ir.IntType(WORD_BITS))

    return types.int64(x, types.int64), code


@intrinsic
def with_word(context, x, word):
    """Shift x left by 64 bits, and write a word into the lowest 64 bits of the result."""

    def code(context, builder, signature, arguments):
        value, low = arguments
        return builder.or_(builder.shl(value, value.type(WORD_BITS)), builder.zext(low, value.type))

    return x(x, types.int64), code


# Bits. -----------------------------------------------------------------------------------------
def _bind(function: Any, count: Callable[[Any, Any], Any]) -> None:
    """Compile a function of one integer, such as `popcount`, to an instruction of LLVM."""

    @instructions_for(function, types.int64, INTEGER)
    def _call(context, builder, signature, arguments):
        kind = signature.args[0] if isinstance(signature.args[0], WideType) else types.int64
        value = context.cast(builder, arguments[0], signature.args[0], kind)
        return builder.trunc(count(builder, value), ir.IntType(WORD_BITS))


_bind(bits.popcount, lambda builder, x: builder.ctpop(x))
_bind(bits.low_bit_index, lambda builder, x: builder.cttz(x, cgutils.false_bit))
_bind(bits.high_bit_index, lambda builder, x: builder.sub(x.type(x.type.width - 1), builder.ctlz(x, cgutils.false_bit)))


def _has_bmi2(context: Any) -> bool:
    """Whether the processor has the instructions PEXT and PDEP."""
    return "+bmi2" in context.codegen().magic_tuple()[2].split(",")


def _bind_instruction(function: Any, accepted: Any, name: str, loop: Callable[..., Any], word: Any) -> None:
    """Compile a function of two integers into a single processor instruction. If the processor has no such instruction,
    compile the function into a loop."""

    @instructions_for(function, types.int64, accepted, accepted)
    def _call(context, builder, signature, arguments):
        kinds = zip(arguments, signature.args, strict=True)
        words = [context.cast(builder, each, kind, types.uint64) for each, kind in kinds]
        if not _has_bmi2(context):
            return context.compile_internal(builder, loop, types.int64(word, word), words)
        return call(builder, name, ir.IntType(WORD_BITS), words)


def pack_bits_by_loop(board: Any, mask: Any) -> Any:
    """Compute `pack_bits` for two unsigned words bit by bit, for processors without PEXT."""
    found, bit = np.uint64(0), np.uint64(1)
    while mask != np.uint64(0):
        if board & mask & (~mask + np.uint64(1)):
            found |= bit
        bit <<= np.uint64(1)
        mask &= mask - np.uint64(1)
    return np.int64(found)


_bind_instruction(bits.pack_bits, types.Integer | WideType, "llvm.x86.bmi.pext.64", pack_bits_by_loop, types.uint64)
_bind_instruction(bits.spread_bits, types.Integer, "llvm.x86.bmi.pdep.64", bits.spread_bits, types.int64)


@instructions_for(bits.bits_of, types.int64, types.Float)
def _bits_of(context, builder, signature, arguments):
    value = context.cast(builder, arguments[0], signature.args[0], types.float64)
    return builder.bitcast(value, ir.IntType(WORD_BITS))


@overload(bits.replace_item)
def _replace_item(items, index, value):
    from numba.cpython.unsafe.tuple import tuple_setitem

    if isinstance(items, types.UniTuple) and isinstance(items.dtype, types.Integer | types.Float):
        kind = items.dtype  # `tuple_setitem` does not convert the value to the type of the items
        return lambda items, index, value: tuple_setitem(items, index, kind(value))
    return lambda items, index, value: tuple_setitem(items, index, value)


# Tables of boards, which are stored in the machine code. ------------------------------------------
class TableType(types.CPointer):
    """Numba's type of a `BoardTable`: a pointer to its boards, which are stored in the machine code."""


register_model(TableType)(PointerModel)
TABLE = TableType(WideType(WORD_BITS))


@typeof_impl.register(bits.BoardTable)
def _typeof_table(value, c):
    return TABLE


@lower_constant(TableType)
def _lower_table(context, builder, typ, value):
    words = ir.Constant(ir.ArrayType(ir.IntType(WORD_BITS), len(value)), [int(each) & bits.ALL_BITS for each in value])
    return builder.bitcast(cgutils.global_constant(builder, ".boards", words), ir.IntType(WORD_BITS).as_pointer())


# Hashes. ----------------------------------------------------------------------------------------
@njit(inline="always")
def _scramble(x):
    x = np.uint64(x) * np.uint64(bits.HASH_MULTIPLIER)
    return x ^ (x >> np.uint64(32))


def _mix_unsigned(key):
    """Hash a key as an unsigned integer. Only compiled code can call this function: see the overload below."""


@overload(_mix_unsigned)
def _mix_unsigned_of(key):
    if isinstance(key, types.Integer | types.Boolean):
        return lambda key: _scramble(np.uint64(key))
    if isinstance(key, WideType) and key.bitwidth == WORD_BITS:
        return lambda key: _scramble(word_of(key, 0))
    if isinstance(key, WideType):
        return _mix_wide(key.bitwidth // WORD_BITS)
    if not isinstance(key, types.BaseTuple):
        return None
    lines = ["def mix_items(key):", f"    h = np.uint64({len(key)})"]
    lines += [f"    h = _scramble(h + _mix_unsigned(key[{i}]))" for i in range(len(key))]
    scope: dict[str, Any] = {"np": np, "_scramble": _scramble, "_mix_unsigned": _mix_unsigned}
    exec("\n".join([*lines, "    return h"]), scope)
    return scope["mix_items"]


def _mix_wide(words: int) -> Any:
    """A function that hashes wide integers. As in interpreted code, the highest words are left out if they only repeat
    the sign."""

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
