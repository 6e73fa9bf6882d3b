"""Compiles kernels, and defines Numba's types of games.

The *type* of a game contains the game's identity: its class, its parameters and a digest of its code
(`gamesearch.compiler.identity`). So in a kernel, `game.moves(s)` is a direct call of the class's method, and
`self.rows` is a constant. The cache on disk works across processes, and detects edits. The module `game_types` defines
the type and the attributes that compiled code reads at run time, such as `self.weights`. The module `attributes`
replaces the other attributes by their values.

Measurements and crashes led to the following rules:

- The attributes of a game are inlined, which makes compiled code several times faster. Compilation is faster if
  attributes become constants before Numba infers types, and if methods are called directly.
- The time to compile depends on the number of functions and on the number of values in them. Optimization by LLVM takes
  only a small part of this time.
- Numba looks up a global function by its attribute `_numba_type_`. If this attribute is the type of a dispatcher, a
  call in interpreted code runs the function, and the same call in compiled code runs its compiled twin. So a function
  can also call itself.
- Code that is loaded from Numba's cache crashes if it calls another function that is recursive. So compiled code does
  not call recursive kernels. If a game has recursive methods or helper functions, its code is not cached.
- If a record is passed to a generator, Numba copies it field by field, and compiling this takes minutes. So kernels
  take records as arguments (by reference), but do not pass them to generators.
"""

import gc
import time
import warnings
from array import array
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, cast

import numpy as np
from numba import typeof
from numba.core import event
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaWarning
from numba.extending import typeof_impl

import gamesearch.compiler.array_operations  # noqa: F401  registers the compiled forms with Numba
from gamesearch.compiler.attributes import GameCompiler, bind
from gamesearch.compiler.bit_operations import declare_wide_fields
from gamesearch.compiler.cache import CacheOnDisk
from gamesearch.compiler.errors import sentence
from gamesearch.compiler.game_types import CompiledForm, GameType, compiled_form
from gamesearch.compiler.identity import Code, code_of
from gamesearch.compiler.kernels import BorrowedArray
from gamesearch.compiler.numba_internals import complete, llvm_without_timers, new_twin, resolved, use_cache
from gamesearch.errors import GamesearchError, NotCompilable
from gamesearch.game import Game

__all__ = [
    "attach_dispatcher", "attach_own", "dispatcher", "form_of", "listen_to_compiler", "note_changes", "prepare",
    "refusal_key",
]  # fmt: skip


# Kernels and their dispatchers. ------------------------------------------------------------------
FOR_COMPILED_CODE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options that omit the wrappers for calls from Python. When a small function is compiled, a third of the time is spent
on these wrappers."""


def attach_dispatcher(function: Callable[..., Any], digest: bytes = b"") -> None:
    """Make the compiled twin of a function. After that, Numba uses the twin wherever compiled code calls the function.
    `digest` covers everything that a function of the rules reads. When the digest changes, the function gets a new
    twin."""
    attributes: Any = function
    if hasattr(function, "_compiled_twin_"):
        if attributes._digest_ == digest:
            return
        _replaced.append(attributes._compiled_twin_)
    attributes._digest_ = digest
    attributes._compiled_twin_ = new_twin(function, pipeline_class=GameCompiler, nogil=True, **FOR_COMPILED_CODE)


_replaced: list[Any] = []
"""The old twins of functions that were changed. They are kept because older compiled code calls them."""


def dispatcher(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the twin that `attach_dispatcher` made, and prepare it for calls from Python: its code is cached on
    disk."""
    attributes: Any = function
    twin = attributes._compiled_twin_
    use_cache(twin, CacheOnDisk(twin.py_func))
    return cast(Callable[..., Any], twin)


SIMPLE = (bool, float, type(None))
"""All values of one of these Python types have the same type in Numba."""
_prepared: dict[tuple[Any, ...], Callable[..., Any] | str] = {}
"""Maps a kernel and the types of its arguments to the machine code. If the kernel cannot be compiled, the reason is
stored instead."""


def prepare(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the machine code of a kernel for these types of arguments. For the same types, a kernel is compiled only
    once.

    A call of the machine code is several microseconds faster than a call of the twin, which first determines the types
    of all arguments. Raises NotCompilable if Numba cannot compile the rules.
    """
    try:
        key = (function, *map(kind_of, arguments))
    except GamesearchError:
        raise
    except Exception as error:  # a state of a type that Numba does not know
        raise NotCompilable(sentence(error)) from error
    code = _prepared.get(key)
    if code is None:
        code = _prepared[key] = machine_code(function, arguments)
    if isinstance(code, str):
        raise NotCompilable(code)
    return code


def machine_code(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any] | str:
    """Return the machine code of a twin for arguments of these types. If the twin cannot be compiled, return the
    reason."""
    twin: Any = dispatcher(function)
    try:
        signature = tuple(typeof(each) for each in arguments)
        with suppress_compiler_noise():
            twin.compile(signature)
            code = twin.overloads[signature]
            complete(code)
    except Exception as error:  # Numba raises exceptions of many types
        return sentence(error)
    return cast(Callable[..., Any], code.entry_point)


def kind_of(argument: Any) -> Any:
    """A key that identifies Numba's type of an argument. Arguments with equal keys have equal types. Computing a key
    takes less time than determining the type."""
    python_type = type(argument)
    if python_type is int:  # Numba's type of an integer depends on its size
        return int if -(1 << 63) <= argument < 1 << 63 else (int, 0 < argument < 1 << 64)
    if python_type in SIMPLE:
        return python_type
    if isinstance(argument, tuple):
        return (python_type, *map(kind_of, argument))
    if isinstance(argument, np.generic):
        return argument.dtype
    if python_type is BorrowedArray:
        return (BorrowedArray, argument.array.dtype)
    if isinstance(argument, Game):
        return (getattr(argument, "_compiled_form_", None) or note_changes(argument)).number
    if isinstance(argument, np.ndarray):
        return (argument.dtype, argument.ndim, argument.flags.num)
    return argument.typecode if isinstance(argument, array) else typeof(argument)


def note_changes(game: Game) -> CompiledForm:
    """The current compiled form of a game. Raises NotCompilable if an attribute cannot be used."""
    try:
        return form_of(game)
    except GamesearchError:
        raise
    except Exception as error:  # a game that contains itself, or an attribute that cannot be read
        raise NotCompilable(f"its attributes cannot be used: {type(error).__name__}: {error}") from error


def refusal_key(game: Game) -> Any:
    """If a game cannot be compiled, the reason is stored under this key. The key is the game's type in Numba, or the
    game's class if Numba has no type for the game."""
    with suppress(NotCompilable):
        return note_changes(game).typ
    return type(game)


@contextmanager
def suppress_compiler_noise() -> Iterator[None]:
    """In this context, three things are off: Numba's warnings (which do not help users), garbage collection, and LLVM's
    timers.

    Garbage collection and the timers would take a tenth of the compile time. These settings apply to the whole process.
    A lock ensures that two threads do not restore them in the wrong order.
    """
    with global_compiler_lock, warnings.catch_warnings(), llvm_without_timers():
        warnings.simplefilter("ignore", NumbaWarning)
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            resolved.clear()  # functions may have changed before the next compilation
            if collects:
                gc.enable()


def listen_to_compiler(started: Callable[[str], None], ended: Callable[[float], None]) -> AbstractContextManager[Any]:
    """Call `started` before each compilation and `ended` after it, except for compilations inside another
    compilation."""
    running: list[float] = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            if not running:
                started(event.data["dispatcher"].py_func.__qualname__)
            running.append(time.perf_counter())

        def on_end(self, _: Any) -> None:
            begun = running.pop()
            if not running:
                ended(time.perf_counter() - begun)

    return event.install_listener("numba:compile", Listener())  # type: ignore[no-any-return]


# The type of a game. ------------------------------------------------------------------------------
@typeof_impl.register(Game)
def _typeof_game(game: Game, c: Any) -> GameType:
    form = getattr(game, "_compiled_form_", None)
    return (form or form_of(game)).typ


def form_of(game: Game) -> CompiledForm:
    """Return the current compiled form of a game. The game's methods and their helper functions get twins."""
    before = getattr(game, "_compiled_form_", None)
    form = compiled_form(game)
    if form is not before:
        attach(form)
        declare_wide_fields(game.initial())
    return form


def attach(form: CompiledForm) -> None:
    """Make the compiled twins of the functions of a game, and of the games that it contains."""
    if attach_functions(form.code):
        bind(form.typ.game)
    for part in form.parts:
        attach(part)


def attach_functions(code: Code) -> bool:
    """Make the missing twins of all functions in a code graph. Returns False if this was done before."""
    if code.is_attached:
        return False
    for function in code.functions:
        attach_dispatcher(function, code.digest_from({id(function)}))
    for game in code.games:
        form_of(game)
    code.is_attached = True
    return True


def attach_own(function: Callable[..., Any]) -> None:
    """Make the compiled twin of a function in a user's file, and the twins of all functions that it calls."""
    attach_functions(code_of(function))
