"""How Numba sees kernels and games.

A game is an opaque value whose *type* carries the class, the parameters and a digest of the source
of its rules. So `game.moves(s)` inside a kernel compiles the class's own method, `self.rows` is a
constant, and the cache on disk works across processes and notices edits. The type is in
`gamesearch.numba_games`, the cache in `gamesearch.numba_cache`, what Numba complains of in
`gamesearch.numba_errors`; `gamesearch.numba_bits` and `gamesearch.numba_wide` are the compiled forms
of `gamesearch.bits`.

Found by measurement, so that nobody finds it twice:

- An attribute that is not inlined costs a factor of four.
- Numba resolves a plain function found among the globals by its `_numba_type_` attribute. Setting
  that attribute to a dispatcher's type lets one name mean the function itself to the interpreter
  and its compiled twin to Numba, recursion included.
- Numba's cache loses a recursive function that another compiled function calls: a crash when it is
  loaded. So kernels that call themselves are called from Python alone, and nothing is cached for a
  game whose own methods or helper functions are recursive.
- A record given to a generator is copied into it, field by field: minutes of compilation. Kernels
  take records as arguments (they are passed by reference) and hand none to a generator.
"""

import inspect
import time
import types as python_types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from numba import njit, typeof, types
from numba.core import event
from numba.core.caching import NullCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaWarning
from numba.core.typing.templates import (
    _OverloadAttributeTemplate,
    _OverloadMethodTemplate,
    infer_getattr,
    make_overload_attribute_template,
)
from numba.extending import overload, typeof_impl

import gamesearch.numba_bits  # noqa: F401  # tells Numba of the compiled forms
from gamesearch.errors import NotCompilable
from gamesearch.game import Game
from gamesearch.numba_cache import CacheOnDisk
from gamesearch.numba_errors import sentence
from gamesearch.numba_games import GameType, constants_of, functions_of, new_type
from gamesearch.numba_pruning import PruningCompiler
from gamesearch.numba_wide import as_wide_constant

__all__ = ["attach_dispatcher", "dispatcher", "listening", "prepare"]


# Kernels and their dispatchers. ------------------------------------------------------------------
def attach_dispatcher(function: Callable[..., Any]) -> None:
    """Let Numba take `function`, where it meets the name, for its compiled twin."""
    if hasattr(function, "_numba_type_"):
        return
    attributes: Any = function
    # Of the twin, the type only holds a weak reference.
    attributes._compiled_twin_ = njit(nogil=True, pipeline_class=PruningCompiler)(function)
    attributes._numba_type_ = types.Dispatcher(attributes._compiled_twin_)


def dispatcher(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled twin that `attach_dispatcher` made, for calls from Python: kept on disk."""
    attributes: Any = function
    twin = attributes._compiled_twin_
    if isinstance(twin._cache, NullCache):
        twin._cache = CacheOnDisk(twin.py_func)
    return cast(Callable[..., Any], twin)


_prepared: set[tuple[Any, ...]] = set()


def prepare(twin: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Compile a kernel for such arguments, or load it from the cache, unless that is done already.

    Raises NotCompilable where the rules are beyond Numba.
    """
    kinds = tuple(
        typeof(each) if isinstance(each, Game) else type(each) if isinstance(each, int | float) else each is None
        for each in arguments
    )
    if (twin, kinds) not in _prepared:
        try:
            with _no_warnings():
                cast(Any, twin).compile(tuple(typeof(each) for each in arguments))
        except Exception as error:  # Numba's complaints have many types
            raise NotCompilable(sentence(error)) from error
        _prepared.add((twin, kinds))


@contextmanager
def _no_warnings() -> Iterator[None]:
    """Show nothing of what Numba warns of: the user can do nothing about it.

    Python keeps such filters for the whole process: the lock keeps threads from restoring them crosswise.
    """
    with global_compiler_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        yield


@contextmanager
def listening(started: Callable[[str], None], ended: Callable[[float], None]) -> Iterator[None]:
    """Call `started` and `ended` around each compilation that Python asked for, with what it calls."""
    running: list[float] = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            if not running:
                started(event.data["dispatcher"].py_func.__name__)
            running.append(time.perf_counter())

        def on_end(self, _: Any) -> None:
            begun = running.pop()
            if not running:
                ended(time.perf_counter() - begun)

    listener = Listener()
    event.register("numba:compile", listener)
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)


# The methods and constants of a game. ------------------------------------------------------------
_bound_methods: set[str] = set()
_bound_constants: set[str] = set()


@typeof_impl.register(Game)
def _typeof_game(game: Game[Any], c: Any) -> GameType:
    known: GameType | None = game.__dict__.get("_game_type_")
    if known is None:
        known = new_type(game)
        _bind(game)
        game.__dict__["_game_type_"] = known
    return known


def _bind(game: Game[Any]) -> None:
    """Make the game's methods, constants and helper functions known to Numba."""
    for function in functions_of(game):
        attach_dispatcher(function)
    for name in dir(type(game)):
        is_method = isinstance(inspect.getattr_static(type(game), name), python_types.FunctionType)
        if is_method and not name.startswith("__") and name not in _bound_methods:
            _bound_methods.add(name)
            _bind_method(name)
    for name in constants_of(game):
        if name not in _bound_constants:
            _bound_constants.add(name)
            _bind_constant(name)


class _ConstantTemplate(_OverloadAttributeTemplate):
    """Answers for a name only where it is a constant of the game: in another it may be a method."""

    def _resolve(self, typ, attr):
        return super()._resolve(typ, attr) if attr == self._attr and typ.has_constant(attr) else None


class _MethodTemplate(_OverloadMethodTemplate):
    """Answers for a name only where it is a method of the game."""

    def _resolve(self, typ, attr):
        return super()._resolve(typ, attr) if attr == self._attr and typ.has_method(attr) else None


def _bind_method(name: str) -> None:
    """Let compiled code call method `name` of the games that have one."""

    def method(self, *arguments):
        function = getattr(type(self.game), name)
        return lambda self, *arguments: function(self, *arguments)

    _register(name, method, "never", _MethodTemplate)


def _bind_constant(name: str) -> None:
    """Let compiled code read attribute `name` of the games in which it is a constant."""

    def constant(self):
        value = getattr(self.game, name)
        value = as_wide_constant(value.item() if isinstance(value, np.number) else value)
        return lambda self: value

    _register(name, constant, "always", _ConstantTemplate)


def _register(name: str, function: Callable[..., Any], inline: str, template: type) -> None:
    """What Numba's `overload_method` and `overload_attribute` do, with a template of ours."""
    infer_getattr(make_overload_attribute_template(GameType, name, function, inline=inline, base=template))
    overload(function, inline=inline)(function)
