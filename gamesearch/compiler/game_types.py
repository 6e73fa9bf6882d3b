"""Numba's type of a game, and the attributes that compiled code reads from a game at run time.

The type of a game contains the game's identity (see `gamesearch.compiler.identity`): its class, its constants and a
digest of its code. A value of this type is the address of a row of 64-bit words. The row contains the address and the
length of each array of tunable numbers. If a game contains other games, its row also contains the addresses of their
rows. So the same machine code works with other weights, and a weight is read by a single load.
"""

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.datamodel.models import ArrayModel, IntegerModel
from numba.core.imputils import lower_builtin, lower_constant
from numba.extending import NativeValue, register_model, unbox
from numba.np.arrayobj import make_array, populate_array

from gamesearch.compiler.constants import are_same, attributes_of, is_part, read_attribute, snapshot
from gamesearch.compiler.identity import Code, code_of, digest_of, parts_of
from gamesearch.compiler.numba_internals import value_of
from gamesearch.game import Game
from gamesearch.user_code.checking import check_tunable

__all__ = ["NUMBERS", "CompiledForm", "GameType", "compiled_form", "is_read_at_run_time", "numbers_at", "word_at"]

WORD = ir.IntType(64)


class NumbersType(types.Array):
    """Numba's type of an array of tunable numbers. The array can have any length, and its indices are checked at run
    time."""

    def __init__(self) -> None:
        super().__init__(types.float64, 1, "C", readonly=True, name="tunable numbers")


register_model(NumbersType)(ArrayModel)
NUMBERS = NumbersType()
"""The type of all arrays of tunable numbers in compiled code."""


class GameType(types.Type):
    """Numba's type of one game with its parameters. Numba's cache requires that this class can be imported."""

    bitwidth = 64
    """The size of a value in bits. A value is the address of a game's row (see `CompiledForm`)."""

    def __init__(self, name: str, digest: str) -> None:
        self.game_name, self.digest = name, digest
        super().__init__(name=f"{name}#{digest}")

    @property
    def number(self) -> int:
        """A 60-bit number that identifies the type, and is the same in every process."""
        return int(self.digest[:15], 16)

    @property
    def game(self) -> Game:
        """A copy of a game of this type. The copy never changes. Games of the same type differ only in tunable
        attributes."""
        return _games[self.key]


_games: dict[str, Game] = {}


register_model(GameType)(IntegerModel)


# The data of a game for which code is compiled. ---------------------------------------------------
@dataclass(slots=True)
class CompiledForm:
    """The data that the compiler keeps for a game. When a game has changed, a new CompiledForm is made."""

    typ: GameType
    code: Code
    attributes: dict[str, Any]
    """The attributes that the game had when this CompiledForm was made."""
    games: list[Game]
    """The games that this game contains. `row` contains their addresses in the same order."""
    parts: list["CompiledForm"]
    """The compiled forms of the objects in `games`."""
    row: Any
    """The 64-bit words that compiled code reads at run time: the address and the length of each tunable array, and the
    address of the row of each game in `games`."""
    kept: list[Any]
    """The arrays whose addresses are in the row."""
    address: int
    number: int
    """The number of the game's type. Compiled code checks this number before it reads the row."""


def compiled_form(game: Game) -> CompiledForm:
    """Return the compiled form of a game. A new form is made if an attribute, or anything else that the rules read, has
    changed."""
    holder: Any = game
    known: CompiledForm | None = getattr(holder, "_compiled_form_", None)
    code, now = code_of(type(game)), attributes_of(game)
    if known is not None and known.code is code and are_same(now, known.attributes):
        if all(map(operator.is_, map(compiled_form, known.games), known.parts)):
            return known
    games = [part for _, part in parts_of(game, code)]
    parts = [compiled_form(part) for part in games]
    typ = GameType(type(game).__qualname__, digest_of(game))
    if typ.key not in _games:
        _games[typ.key] = snapshot(game)
    kept = [tunable_array(game, name) for name in game.tunable]
    words = [word for array in kept for word in (array.ctypes.data, len(array))]
    row = np.array([*words, *(each.address for each in parts)], np.int64)
    form = CompiledForm(typ, code, now, games, parts, row, kept, row.ctypes.data, typ.number)
    holder._compiled_form_ = form
    return form


def tunable_array(game: Game, name: str) -> Any:
    """Convert a tunable attribute to an array for compiled code. If the attribute is an array already, it is not
    copied."""
    check_tunable(game)
    return np.asarray(getattr(game, name), np.float64)


def is_read_at_run_time(game: Game, name: str) -> bool:
    """Whether compiled code reads an attribute at run time, because the attribute is tunable or contains a game."""
    return name in game.tunable or is_part(read_attribute(game, name))


# From Python, and into machine code. --------------------------------------------------------------
@unbox(GameType)
def _unbox_game(typ: Any, obj: Any, c: Any) -> Any:
    form = c.pyapi.object_getattr_string(obj, "_compiled_form_")  # kept while the compiled code runs
    number, address = (word_in(c, form, name) for name in ("number", "address"))
    is_other = c.builder.icmp_unsigned("!=", number, ir.Constant(WORD, typ.number))
    with c.builder.if_then(is_other, likely=False):
        c.pyapi.err_set_string("PyExc_RuntimeError", "the game was changed while a search was starting")
    is_error = c.builder.or_(is_other, c.pyapi.c_api_error())
    return NativeValue(address, is_error=is_error, cleanup=lambda: c.pyapi.decref(form))


def word_in(c: Any, obj: Any, name: str) -> Any:
    """Read an attribute of a Python object. The attribute must be a 64-bit word."""
    held = c.pyapi.object_getattr_string(obj, name)
    word = c.pyapi.long_as_longlong(held)
    c.pyapi.decref(held)
    return word


@lower_constant(GameType)
def _constant_game(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    """A game that is a global variable in the rules. The row of such a game is a constant in the machine code."""
    words = []
    for array in (tunable_array(value, name) for name in value.tunable):
        data = ir.Constant(ir.ArrayType(ir.DoubleType(), len(array)), [float(each) for each in array])
        words += [cgutils.global_constant(builder, ".numbers", data).ptrtoint(WORD), ir.Constant(WORD, len(array))]
    words += [_constant_game(context, builder, typeof(part), part) for _, part in parts_of(value)]
    row = ir.Constant(ir.ArrayType(WORD, len(words)), words)
    return cgutils.global_constant(builder, ".game", row).ptrtoint(WORD)


def numbers_at(context: Any, builder: Any, row: Any, place: int) -> Any:
    """Read an array of tunable numbers. In the row, index `place` contains the address of the array, and the next index
    contains its length."""
    array = make_array(NUMBERS)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(NUMBERS.dtype)))
    data = builder.inttoptr(word_at(builder, row, place), array.data.type)
    shape = [word_at(builder, row, place + 1)]
    populate_array(array, data=data, shape=shape, strides=[size], itemsize=size, meminfo=None)
    return value_of(array)


@lower_builtin(operator.getitem, NumbersType, types.Integer)
def _number(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    """Read one of the tunable numbers. A negative index counts from the end."""
    numbers = make_array(sig.args[0])(context, builder, arguments[0])
    index = context.cast(builder, arguments[1], sig.args[1], types.intp)
    length = builder.extract_value(numbers.shape, 0)
    is_from_end = builder.icmp_signed("<", index, ir.Constant(WORD, 0))
    index = builder.select(is_from_end, builder.add(index, length), index)
    with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("the index is out of range",))
    return builder.load(builder.gep(numbers.data, [index]))


def word_at(builder: Any, row: Any, place: int) -> Any:
    """Read the word at index `place` of a row."""
    start = builder.inttoptr(row, WORD.as_pointer())
    return builder.load(builder.gep(start, [ir.Constant(WORD, place)]))
