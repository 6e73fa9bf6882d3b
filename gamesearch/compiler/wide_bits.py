"""Boards of 64 bits, and integers of 128, 256 and 512 bits for larger boards, in compiled code.

LLVM computes with integers of any width; Numba has no types for them, and makes floats of sums of its integers with
and without sign. Interpreted, Python's own integers do the same, so the rules of chess and Go are written once, as for
a small board. A shift must be by less than the width, and a value that does not fit is cut off.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple, get_type_hints

from llvmlite import ir
from numba.core import types
from numba.core.datamodel.models import IntegerModel
from numba.core.imputils import lower_builtin, lower_cast, lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing.templates import signature
from numba.extending import NativeValue, box, intrinsic, register_model, typeof_impl, unbox

from gamesearch.compiler.calls import declare, instructions_for
from gamesearch.game import Game
from gamesearch.toolkit import bits

WORD = 64
WIDTHS = {bits.Board64: WORD, bits.Wide128: 128, bits.Wide256: 256, bits.Wide512: 512}


class WideType(types.Number):
    """An integer of `bitwidth` bits; in an operation, the narrower operand is widened. Of 64 bits, it has no sign."""

    def __init__(self, bitwidth: int) -> None:
        self.bitwidth, self.signed = bitwidth, bitwidth > WORD
        super().__init__(name=f"wide{bitwidth}")

    def can_convert_from(self, typingctx, other):
        is_narrower = isinstance(other, WideType) and other.bitwidth < self.bitwidth
        return Conversion.promote if is_narrower or isinstance(other, types.Integer | types.Boolean) else None

    def unify(self, typingctx, other):
        return widest((self, other))


register_model(WideType)(IntegerModel)
INTEGER = types.Integer | types.Boolean | WideType
"""The classes of all whole numbers."""


def widest(kinds: tuple[Any, ...]) -> WideType | None:
    """The type to compute in, if one operand is wide and the others are wide, integers or truth values."""
    wide = [each for each in kinds if isinstance(each, WideType)]
    if not wide or not all(isinstance(each, INTEGER) for each in kinds):
        return None
    return max(wide, key=lambda each: each.bitwidth)


class WideConstant(NamedTuple):
    """A number that is a wide integer in compiled code."""

    value: int
    width: int


def as_wide_constant(value: Any, game: Game[Any]) -> Any:
    """A constant of a game; its integers, in tuples too, are made wide if one does not fit 64 bits with sign."""
    if isinstance(value, bits.BoardTable):
        return value
    numbers = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(number, int) for number in numbers):
        return tuple(as_wide_constant(item, game) for item in value) if isinstance(value, tuple) else value
    longest = max(number.bit_length() for number in numbers)
    if longest < WORD:
        return value
    state: Any = type(game.initial())
    is_board = longest == WORD and min(numbers) >= 0 and WORD in _field_widths(state)  # as states have some
    width = WORD if is_board else next(width for width in WIDTHS.values() if longest < width)
    wide = tuple(WideConstant(number, width) for number in numbers)
    return wide if isinstance(value, tuple) else wide[0]


@typeof_impl.register(WideConstant)
def _typeof_constant(value, c):
    return WideType(value.width)


# States with wide fields. ------------------------------------------------------------------------
def declare_wide_fields(value: Any) -> None:
    """Register the class of a tuple, such as a state, with Numba if it has wide fields, and the classes of its items.

    Numba itself types all tuples of other classes.
    """
    if not isinstance(value, tuple):
        return
    for kind in type(value).__mro__:
        if any(_field_widths(kind)) and kind not in typeof_impl.registry:
            typeof_impl.register(kind, _typeof_wide_state)  # holds for derived classes, too
    for item in value:
        declare_wide_fields(item)


def _typeof_wide_state(value, c):
    """The type of a tuple as Numba makes it, except that fields declared wide are wide."""
    widths = _field_widths(value.__class__)
    kinds = [WideType(width) if width else typeof_impl(item, c) for item, width in zip(value, widths, strict=True)]
    return None if any(kind is None for kind in kinds) else types.BaseTuple.from_types(kinds, type(value))  # type: ignore[attr-defined]


@functools.cache
def _field_widths(kind: type) -> tuple[int, ...]:
    """The widths of a NamedTuple's fields, 0 for those that are not wide; empty for other tuples."""
    fields = getattr(kind, "_fields", ())
    try:
        hints = get_type_hints(kind) if fields else {}
    except NameError:  # an annotation names something that is imported only for type checking
        hints = {}
    return tuple(WIDTHS.get(hints.get(field, int), 0) for field in fields)


@lower_constant(WideType)
def _lower_constant(context, builder, typ, value):
    return ir.Constant(ir.IntType(typ.bitwidth), value.value)


# Between Python and compiled code: word by word. -------------------------------------------------
@unbox(WideType)
def _unbox(typ, obj, c):
    whole = ir.IntType(typ.bitwidth)
    value = ir.Constant(whole, 0)
    for place in range(0, typ.bitwidth, WORD):
        distance = c.pyapi.long_from_longlong(ir.Constant(ir.IntType(WORD), place))
        mask = c.pyapi.long_from_ulonglong(ir.Constant(ir.IntType(WORD), bits.ALL_BITS))
        shifted = c.pyapi.number_rshift(obj, distance)
        word = c.pyapi.number_and(shifted, mask)
        number = c.builder.zext(c.pyapi.long_as_ulonglong(word), whole)
        value = c.builder.or_(value, c.builder.shl(number, ir.Constant(whole, place)))
        for each in (distance, mask, shifted, word):
            c.pyapi.decref(each)
    return NativeValue(value, is_error=c.pyapi.c_api_error())


@box(WideType)
def _box(typ, value, c):
    whole, word = ir.IntType(typ.bitwidth), ir.IntType(WORD)
    result = c.pyapi.long_from_longlong(ir.Constant(word, 0))
    for place in reversed(range(0, typ.bitwidth, WORD)):
        part = c.builder.trunc(c.builder.ashr(value, ir.Constant(whole, place)), word)
        has_sign = typ.signed and place + WORD == typ.bitwidth
        number = c.pyapi.long_from_longlong(part) if has_sign else c.pyapi.long_from_ulonglong(part)
        distance = c.pyapi.long_from_longlong(ir.Constant(word, WORD))
        shifted = c.pyapi.number_lshift(result, distance)
        joined = c.pyapi.number_or(shifted, number)
        for each in (number, distance, shifted, result):
            c.pyapi.decref(each)
        result = joined
    return result


# Between widths. ---------------------------------------------------------------------------------
@lower_cast(types.Integer, WideType)
@lower_cast(WideType, types.Integer)
@lower_cast(WideType, WideType)
def _to_another_width(context, builder, from_type, to_type, value):
    """An integer with fewer bits, or with more: copies of its sign, or zeros if it has none."""
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
def _bind(function: Any, count: int, emit: Callable[..., Any], result: Any = None) -> None:
    """Let compiled code compute with so many operands, of which one is wide; in the widest type, if nothing is said."""

    def typed(args: tuple[Any, ...]) -> Any:
        wide = widest(args) if len(args) == count else None
        return None if wide is None else signature(result or wide, *[wide] * count)

    declare(function, typed)
    lower_builtin(function, *[WideType] * count)(emit)


def _by(instruction: str) -> Callable[..., Any]:
    """What emits one instruction."""

    def emit(context, builder, signature, arguments):
        return getattr(builder, instruction)(*arguments)

    return emit


def _comparing(sign: str) -> Callable[..., Any]:
    """What emits a comparison."""

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
        _bind(getattr(operator, _name), 2, _emit)

for _name, _sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _bind(getattr(operator, _name), 2, _comparing(_sign), types.boolean)

_bind(operator.invert, 1, _by("not_"))
_bind(operator.neg, 1, _by("neg"))
_bind(operator.not_, 1, _is_zero, types.boolean)
_bind(bool, 1, _cast, types.boolean)
_bind(int, 1, _cast, types.int64)

for _kind, _width in WIDTHS.items():
    instructions_for(_kind, WideType(_width), INTEGER)(_cast)


# Words. -----------------------------------------------------------------------------------------
@intrinsic
def word_of(context, x, index):
    """Word `index` of 64 bits, the lowest first, as a signed integer."""

    def code(context, builder, signature, arguments):
        value, number = arguments
        place = builder.mul(builder.zext(number, value.type), value.type(WORD))
        return builder.trunc(builder.lshr(value, place), ir.IntType(WORD))

    return types.int64(x, types.int64), code


@intrinsic
def with_word(context, x, word):
    """x with one more word of 64 bits below it."""

    def code(context, builder, signature, arguments):
        value, low = arguments
        return builder.or_(builder.shl(value, value.type(WORD)), builder.zext(low, value.type))

    return x(x, types.int64), code
