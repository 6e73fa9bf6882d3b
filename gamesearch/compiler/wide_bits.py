"""Boards of 64 bits, and integers of 128, 256 and 512 bits for larger boards, in compiled code.

LLVM computes with integers of any width; Numba has no types for them, and makes floats of sums of its integers with
and without sign. Interpreted, Python's own integers do the same, so the rules of chess and Go are written once, as for
a small board. A shift must be by less than the width, and a value that does not fit is cut off.
"""

import functools
import operator
from typing import Any, NamedTuple, get_type_hints

from llvmlite import ir
from numba.core import types
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_builtin, lower_cast, lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import NativeValue, box, intrinsic, register_model, type_callable, typeof_impl, unbox

from gamesearch import bits
from gamesearch.game import Game

WORD = 64
WIDTHS = {bits.Board64: WORD, bits.Wide128: 128, bits.Wide256: 256, bits.Wide512: 512}


class WideType(types.Number):
    """An integer of `width` bits; in an operation, the narrower operand is widened. Of 64 bits, it has no sign."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.signed = width > WORD
        super().__init__(name=f"wide{width}")

    def can_convert_from(self, typingctx, other):
        if isinstance(other, types.Integer | types.Boolean):
            return Conversion.promote
        if isinstance(other, WideType) and other.width < self.width:
            return Conversion.promote
        return None

    def unify(self, typingctx, other):
        if isinstance(other, types.Integer | types.Boolean):
            return self
        if isinstance(other, WideType):
            return max(self, other, key=lambda each: each.width)
        return None


@register_model(WideType)
class WideModel(PrimitiveModel):
    """The LLVM type of a wide integer."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.IntType(fe_type.width))


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
    if longest == WORD and min(numbers) >= 0 and WORD in _field_widths(state):  # states have boards, so it is one
        width = WORD
    else:
        width = next(width for width in WIDTHS.values() if longest < width)
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
    return ir.Constant(ir.IntType(typ.width), value.value)


# Between Python and compiled code: word by word. -------------------------------------------------
@unbox(WideType)
def _unbox(typ, obj, c):
    whole = ir.IntType(typ.width)
    value = ir.Constant(whole, 0)
    for place in range(0, typ.width, WORD):
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
    whole, word = ir.IntType(typ.width), ir.IntType(WORD)
    result = c.pyapi.long_from_longlong(ir.Constant(word, 0))
    for place in reversed(range(0, typ.width, WORD)):
        part = c.builder.trunc(c.builder.ashr(value, ir.Constant(whole, place)), word)
        has_sign = typ.signed and place + WORD == typ.width
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
def _integer_to_wide(context, builder, from_type, to_type, value):
    return extended(builder, from_type, to_type, value)


@lower_cast(types.Boolean, WideType)
def _boolean_to_wide(context, builder, from_type, to_type, value):
    return builder.zext(builder.icmp_unsigned("!=", value, value.type(0)), ir.IntType(to_type.width))


@lower_cast(WideType, WideType)
def _wide_to_wide(context, builder, from_type, to_type, value):
    if to_type.width > from_type.width:
        return extended(builder, from_type, to_type, value)
    return builder.trunc(value, ir.IntType(to_type.width))


def extended(builder: Any, from_type: Any, to_type: WideType, value: Any) -> Any:
    """An integer with more bits: copies of its sign, or zeros if it has none."""
    extend = builder.sext if from_type.signed else builder.zext
    return extend(value, ir.IntType(to_type.width))


@lower_cast(WideType, types.Integer)
def _wide_to_integer(context, builder, from_type, to_type, value):
    return builder.trunc(value, ir.IntType(to_type.bitwidth))


@lower_cast(WideType, types.Boolean)
def _wide_to_boolean(context, builder, from_type, to_type, value):
    return builder.icmp_signed("!=", value, value.type(0))


def _bind_constructor(kind: Any, width: int) -> None:
    """Let compiled code call `Wide128(...)`."""
    wide = WideType(width)

    @type_callable(kind)
    def _type_of_call(context):
        return lambda value: wide if isinstance(value, types.Integer | types.Boolean | WideType) else None

    for argument in (types.Integer, types.Boolean, WideType):

        @lower_builtin(kind, argument)
        def _construct(context, builder, signature, arguments):
            return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


for _kind, _width in WIDTHS.items():
    _bind_constructor(_kind, _width)


# Operators. --------------------------------------------------------------------------------------
def _common(args: tuple[Any, ...]) -> WideType | None:
    """The type to compute in, if one operand is wide and the other is wide, an integer or a truth value."""
    wide = [each for each in args if isinstance(each, WideType)]
    if not wide or not all(isinstance(each, WideType | types.Integer | types.Boolean) for each in args):
        return None
    return max(wide, key=lambda each: each.width)


class _Binary(AbstractTemplate):
    def generic(self, args, kws):
        wide = _common(args) if len(args) == 2 else None
        return None if wide is None else signature(wide, wide, wide)


class _Comparison(AbstractTemplate):
    def generic(self, args, kws):
        wide = _common(args) if len(args) == 2 else None
        return None if wide is None else signature(types.boolean, wide, wide)


class _Unary(AbstractTemplate):
    def generic(self, args, kws):
        return signature(args[0], args[0]) if len(args) == 1 and isinstance(args[0], WideType) else None


class _Truth(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.boolean, args[0]) if len(args) == 1 and isinstance(args[0], WideType) else None


class _Int(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.int64, args[0]) if len(args) == 1 and isinstance(args[0], WideType) else None


def _bind_binary(function: Any, instruction: str) -> None:
    infer_global(function)(type(f"_Wide_{function.__name__}", (_Binary,), {"key": function}))

    @lower_builtin(function, WideType, WideType)
    def _compute(context, builder, signature, arguments):
        logical = instruction == "ashr" and not signature.return_type.signed
        return getattr(builder, "lshr" if logical else instruction)(*arguments)


def _bind_comparison(function: Any, sign: str) -> None:
    infer_global(function)(type(f"_Wide_{function.__name__}", (_Comparison,), {"key": function}))

    @lower_builtin(function, WideType, WideType)
    def _compare(context, builder, signature, arguments):
        compare = builder.icmp_signed if signature.args[0].signed else builder.icmp_unsigned
        return compare(sign, *arguments)


for _names, _instruction in (
    (("add", "iadd"), "add"), (("sub", "isub"), "sub"), (("mul", "imul"), "mul"), (("and_", "iand"), "and_"),
    (("or_", "ior"), "or_"), (("xor", "ixor"), "xor"), (("lshift", "ilshift"), "shl"), (("rshift", "irshift"), "ashr"),
):  # fmt: skip
    for _name in _names:
        _bind_binary(getattr(operator, _name), _instruction)

for _name, _sign in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _bind_comparison(getattr(operator, _name), _sign)

for _function, _template in (
    (operator.invert, _Unary), (operator.neg, _Unary), (operator.not_, _Truth), (bool, _Truth), (int, _Int),
):  # fmt: skip
    infer_global(_function)(type(f"_Wide_{_function.__name__}", (_template,), {"key": _function}))


@lower_builtin(operator.invert, WideType)
def _invert(context, builder, signature, arguments):
    return builder.not_(arguments[0])


@lower_builtin(operator.neg, WideType)
def _negate(context, builder, signature, arguments):
    return builder.neg(arguments[0])


@lower_builtin(operator.not_, WideType)
def _is_zero(context, builder, signature, arguments):
    return builder.icmp_signed("==", arguments[0], arguments[0].type(0))


@lower_builtin(bool, WideType)
@lower_builtin(int, WideType)
def _narrow(context, builder, signature, arguments):
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


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
