"""The type that Numba knows a game by, and what of a game compiled code reads at run time.

A game's type carries its identity (see `gamesearch.identity`): its class, its constants, a digest of
its code. A value of that type is one 64-bit address. There, in a row of 64-bit words, are the address
and length of each array of tunable numbers, and the address of the row of each game inside the game.
So weights cost a load, and others need no other code.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_constant
from numba.extending import NativeValue, register_model, unbox
from numba.np.arrayobj import make_array, populate_array

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.identity import Code, code_of, constants_of, digest_of, parts_of

__all__ = [
    "NUMBERS",
    "CompiledForm",
    "GameType",
    "compiled_form",
    "is_read_at_run_time",
    "numbers_at",
    "word_at",
]

WORD = ir.IntType(64)
NUMBERS = types.Array(types.float64, 1, "C", readonly=True)
"""How compiled code sees an array of tunable numbers."""


class GameType(types.Type):
    """Numba's type of one game with its parameters. In an importable module, or nothing is cached."""

    def __init__(self, name: str, digest: str) -> None:
        self.game_name = name
        self.digest = digest
        super().__init__(name=f"{name}#{digest}")

    @property
    def key(self) -> tuple[str, str]:
        return self.game_name, self.digest

    @property
    def game(self) -> Game[Any]:
        """A game of this type: all are alike but for what is tunable."""
        return _games[self.key]


_games: dict[tuple[str, str], Game[Any]] = {}


@register_model(GameType)
class GameModel(PrimitiveModel):
    """The address of the game's row of words."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, WORD)


# What compiled code has taken in of a game, and what it reads. ------------------------------------
@dataclass(slots=True)
class CompiledForm:
    """What is known of a game to the compiler, as long as nothing of it is changed."""

    typ: GameType
    code: Code
    attributes: dict[str, Any]
    """Those of the game when it was looked at."""
    parts: list["CompiledForm"]
    """Of the games inside it, in the order of the row."""
    row: Any
    kept: list[Any]
    """The arrays that the row points to."""
    address: int

    def is_current(self, game: Game[Any]) -> bool:
        """Whether the type still tells what the game is."""
        now = vars(game)
        return (
            code_of(type(game)) is self.code
            and len(now) == len(self.attributes)
            and all(now.get(name) is value or name in game.tunable for name, value in self.attributes.items())
        )


def compiled_form(game: Game[Any]) -> CompiledForm:
    """What the compiler knows of a game: looked at again where an attribute, or a name in its rules, was changed."""
    holder: Any = game
    known: CompiledForm | None = getattr(holder, "_compiled_form_", None)
    parts = [compiled_form(part) for _, part in parts_of(game)]
    if known is not None and known.is_current(game) and [each.typ for each in parts] == [x.typ for x in known.parts]:
        is_same = all(x is y for x, y in zip(parts, known.parts, strict=True))
        if is_same and all(vars(game).get(name) is known.attributes.get(name) for name in game.tunable):
            return known
        typ = known.typ
    else:
        typ = GameType(type(game).__qualname__, digest_of(game))
        _games.setdefault(typ.key, game)
        freeze(constants_of(game).values())
    kept = [tunable_array(game, name) for name in game.tunable]
    words = [word for array in kept for word in (array.ctypes.data, len(array))]
    row = np.array([*words, *(each.address for each in parts)], np.int64)
    form = CompiledForm(typ, code_of(type(game)), vars(game).copy(), parts, row, kept, row.ctypes.data)
    holder._compiled_form_ = form
    return form


def tunable_array(game: Game[Any], name: str) -> Any:
    """Tunable numbers as compiled code reads them: the array itself where it is one of floats."""
    numbers = np.ascontiguousarray(getattr(game, name), np.float64)
    is_weighed = name == "weights" and type(game).features is not Game.features
    wanted = len(game.features(game.initial())) if is_weighed else numbers.size
    if numbers.ndim != 1 or numbers.size != wanted:
        raise GamesearchError(f"{name} of {game.name} are {wanted} numbers in a row, not {getattr(game, name)!r}")
    return numbers


def freeze(values: Iterable[Any]) -> None:
    """Let nobody change the arrays that compiled code has taken for constants."""
    for value in values:
        for array in value if isinstance(value, tuple) else (value,):
            if isinstance(array, np.ndarray):
                array.setflags(write=False)


def is_read_at_run_time(game: Game[Any], name: str) -> bool:
    """Whether an attribute is not a constant of the code: numbers to be tuned, or games, which may have some."""
    return name in game.tunable or any(path[0] == name for path, _ in parts_of(game))


# From Python, and into machine code. --------------------------------------------------------------
@unbox(GameType)
def _unbox_game(typ: Any, obj: Any, c: Any) -> Any:
    form = c.pyapi.object_getattr_string(obj, "_compiled_form_")  # held while the compiled code runs
    address = c.pyapi.object_getattr_string(form, "address")
    value = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(value, is_error=c.pyapi.c_api_error(), cleanup=lambda: c.pyapi.decref(form))


@lower_constant(GameType)
def _constant_game(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    """A game that the rules name: its row becomes part of the code."""
    numbers = [tunable_array(value, name) for name in value.tunable]
    freeze(getattr(value, name) for name in value.tunable)
    words = []
    for array in numbers:
        data = ir.Constant(ir.ArrayType(ir.DoubleType(), len(array)), [float(each) for each in array])
        words += [cgutils.global_constant(builder, ".numbers", data).ptrtoint(WORD), ir.Constant(WORD, len(array))]
    words += [_constant_game(context, builder, typeof(part), part) for _, part in parts_of(value)]
    row = ir.Constant(ir.ArrayType(WORD, len(words)), words)
    return cgutils.global_constant(builder, ".game", row).ptrtoint(WORD)


def numbers_at(context: Any, builder: Any, row: Any, place: int) -> Any:
    """The array of tunable numbers whose address and length stand in a row at a place."""
    array = make_array(NUMBERS)(context, builder)
    size = ir.Constant(WORD, 8)
    data = builder.inttoptr(word_at(builder, row, place), ir.DoubleType().as_pointer())
    length = word_at(builder, row, place + 1)
    populate_array(array, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
    return array._getvalue()


def word_at(builder: Any, row: Any, place: int) -> Any:
    """A word of a row."""
    start = builder.inttoptr(row, WORD.as_pointer())
    return builder.load(builder.gep(start, [ir.Constant(WORD, place)]))
