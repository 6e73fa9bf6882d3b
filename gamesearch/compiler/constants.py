"""Finds the attributes of a game that compiled code may use: constants, other games, and methods."""

import functools
import inspect
import operator
import sys
import types
from contextlib import suppress
from typing import Any

from gamesearch.game import Game
from gamesearch.parameterized import ParameterizedObject

__all__ = [
    "FOREIGN", "NOTHING", "are_same", "attributes_of", "classes_of", "constants_of", "is_constant", "is_flat",
    "is_method", "is_of_numpy", "is_part", "read_attribute", "snapshot",
]  # fmt: skip

FOREIGN = {"numpy", "numba", "llvmlite", "chess", *sys.stdlib_module_names}
"""Packages whose code is not part of a game's digest. The versions of Python, Numba and llvmlite are in the
identity."""
NOTHING = object()
PLAIN_NUMBERS = {bool, int, float}


def attributes_of(game: Game) -> dict[str, Any]:
    """The instance attributes of a game, assigned in `__init__` or later."""
    cls: Any = type(game)
    return vars(game) | {name: getattr(game, name) for name in slots_of(cls) if hasattr(game, name)}


@functools.cache
def slots_of(cls: Any) -> tuple[str, ...]:
    """The names that the classes of a game's rules list in `__slots__`."""
    declared = [vars(each).get("__slots__", ()) for each in classes_of(cls) if each is not ParameterizedObject]
    return tuple(name for each in declared for name in ((each,) if isinstance(each, str) else each))


def read_attribute(game: Game, name: str) -> Any:
    """An attribute of a game or its class; NOTHING if the attribute does not exist. Properties are not called."""
    if name in vars(game):
        return vars(game)[name]
    value = inspect.getattr_static(type(game), name, NOTHING)
    return getattr(game, name, NOTHING) if isinstance(value, types.MemberDescriptorType) else value


def constants_of(game: Game) -> dict[str, Any]:
    """All attributes of a game that are numbers, tuples, arrays or other games, but not its tunable attributes."""
    names = {name for cls in type(game).__mro__ for name in vars(cls)} | set(vars(game))
    values = {}
    for name in sorted(name for name in names if not name.startswith("__") and name not in game.tunable):
        with suppress(Exception):  # a property that the rules never read may raise an exception
            values[name] = getattr(game, name)
    return {name: value for name, value in values.items() if is_constant(value)}


def is_part(value: Any) -> bool:
    """Whether a value is a game, or a tuple that compiled code can read and that contains a game."""
    if isinstance(value, tuple):
        return not is_flat(value) and is_constant(value) and any(map(is_part, value))
    return isinstance(value, Game)


def is_constant(value: Any) -> bool:
    """Whether compiled code can use this value as an attribute of a game."""
    if isinstance(value, tuple):
        return bool(value) and (is_flat(value) or all(is_constant(item) for item in value))
    return isinstance(value, bool | int | float | Game) or is_of_numpy(value)


def is_flat(value: tuple[Any, ...]) -> bool:
    """Whether a tuple contains only plain numbers. This check must be fast, because tables have thousands of
    numbers."""
    return set(map(type, value)) <= PLAIN_NUMBERS


def is_of_numpy(value: Any) -> bool:
    """Whether a value is a NumPy array or a NumPy number. NumPy is not imported for this test."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray | numpy.generic)


def are_same(now: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether two dictionaries have the same keys in the same order, with identical objects as values."""
    return now.keys() == before.keys() and all(map(operator.is_, now.values(), before.values()))


def is_method(value: Any) -> bool:
    """Whether an attribute of a class is a method that compiled code can call."""
    return isinstance(value.__func__ if isinstance(value, staticmethod) else value, types.FunctionType)


def snapshot(game: Game) -> Game:
    """A copy of a game and of the games that it contains. If a game changes later, its copy does not."""

    def copy_value(value: Any) -> Any:
        if isinstance(value, Game):
            return snapshot(value)
        if not is_part(value):
            return value
        items = map(copy_value, value)
        return type(value)._make(items) if hasattr(value, "_make") else tuple(items)

    now: Game = type(game).__new__(type(game))
    for name, value in attributes_of(game).items():
        object.__setattr__(now, name, copy_value(value))
    return now


def classes_of(cls: type) -> list[type]:
    """The classes that contain a game's rules: the game's class and its base classes, except the classes of FOREIGN
    packages."""
    return [each for each in cls.__mro__ if each.__module__.partition(".")[0] not in FOREIGN]
