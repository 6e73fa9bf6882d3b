"""The type that Numba knows a game by: its class, its parameters, and a digest of the source of its rules."""

import ast
import functools
import hashlib
import inspect
import sys
import types as python_types
from contextlib import suppress
from typing import Any

import numpy as np
from numba import types
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_constant
from numba.extending import NativeValue, register_model, unbox

from gamesearch.game import Game

__all__ = ["GameType", "constants_of", "functions_of", "is_constant", "new_type"]


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
        """A game of this type: all are alike."""
        return _games[self.key]


register_model(GameType)(OpaqueModel)

_games: dict[tuple[str, str], Game[Any]] = {}


def new_type(game: Game[Any]) -> GameType:
    """The type of a game that is met for the first time, which others may have, too."""
    known = GameType(type(game).__qualname__, _digest(game))
    _games[known.key] = game
    return known


@unbox(GameType)
def _unbox_game(typ: Any, obj: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@lower_constant(GameType)
def _constant_game(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return context.get_dummy_value()


def constants_of(game: Game[Any]) -> dict[str, Any]:
    """What compiled code may read of a game: numbers, tuples, arrays and other games."""
    names = {name for cls in type(game).__mro__ for name in vars(cls)} | set(vars(game))
    values = {}
    for name in sorted(name for name in names if not name.startswith("__")):
        with suppress(Exception):  # of a property, which no rule may ever ask for
            values[name] = getattr(game, name)
    return {name: value for name, value in values.items() if is_constant(value)}


def is_constant(value: Any) -> bool:
    """Whether compiled code may read such an attribute of a game."""
    if isinstance(value, tuple):
        return bool(value) and all(is_constant(item) for item in value)
    return isinstance(value, bool | int | float | np.number | np.ndarray | Game)


def _digest(game: Game[Any]) -> str:
    """A digest of the source of the rules and of all parameters."""
    digest = hashlib.sha256(repr(type(game)).encode())
    for module in _files(game):
        with suppress(OSError, TypeError):
            digest.update(inspect.getsource(module).encode())
    for name, value in constants_of(game).items():
        digest.update(name.encode() + b"=" + _content(value))
    return digest.hexdigest()[:16]


def _content(value: Any) -> bytes:
    """What makes a constant differ from others."""
    if isinstance(value, tuple):
        return b"(" + b",".join(map(_content, value)) + b")"
    if isinstance(value, np.ndarray):
        return str((value.dtype, value.shape)).encode() + value.tobytes()
    return (_digest(value) if isinstance(value, Game) else repr(value)).encode()


def _classes(game: Game[Any]) -> list[type]:
    """The classes that the rules are in: the game's and all that it inherits from but Python's own."""
    return [cls for cls in type(game).__mro__ if cls.__module__.partition(".")[0] not in sys.stdlib_module_names]


def _files(game: Game[Any]) -> list[python_types.ModuleType]:
    """The modules of the rules: those of a game's classes, and of the files that `_taken_from` finds."""
    names = [cls.__module__ for cls in _classes(game)]
    for name in names:  # which grow meanwhile
        names += [each for each in _taken_from(name) if each not in names]
    return [sys.modules[name] for name in dict.fromkeys(names) if name in sys.modules]


@functools.cache
def _taken_from(name: str) -> tuple[str, ...]:
    """The files beside that of a module, with names that begin with `_`, that it imports or imports from.

    Followed are `from ._x import name`, `from . import _x` and both with the package's full name, as
    well as `import package._x`. No other file is: a change of a constant in one goes unnoticed.
    """
    package = name.rpartition(".")[0]
    try:
        tree = ast.parse(inspect.getsource(sys.modules[name]))
    except (KeyError, OSError, TypeError, SyntaxError):
        return ()
    imported = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level < 2:
            source = ".".join(filter(None, (package if node.level else "", node.module)))
            imported += [source, *(f"{source}.{each.name}" for each in node.names)]
    return tuple(each for each in imported if package and each.startswith(f"{package}._"))


def functions_of(game: Game[Any]) -> list[python_types.FunctionType]:
    """The methods of a game, and the helper functions in the files of its rules."""
    homes: list[tuple[Any, str]] = [(cls, cls.__module__) for cls in _classes(game)]
    homes += [(module, module.__name__) for module in _files(game)]
    found: dict[int, python_types.FunctionType] = {}
    for home, name in homes:
        for value in vars(home).values():
            value = value.__func__ if isinstance(value, staticmethod) else value
            if isinstance(value, python_types.FunctionType) and value.__module__ == name:
                found[id(value)] = value
    return list(found.values())
