"""Compiles rules and searches with Numba. Interpreted and compiled code have the same source.

A *kernel* is a plain Python function marked by `@kernel`. A direct call of a kernel is interpreted. `compiled(kernel)`
is its *twin*, which Numba compiles from the same source. Every kernel gets a twin. So do the methods of a game and of
its base classes, and the functions that these methods call. Twins call each other. So no function is written twice.
Searches call `prepare`, which returns the machine code of a kernel for the types of its arguments. Compiled code is
stored together with its identity, which depends on all its sources (`gamesearch.compiler.identity`). If a source has
been edited, the rules are compiled again.

Numba is imported when the first game or kernel is compiled, because most commands do not need it. Code outside this
folder imports only this module, `kernels`, `constants`, `identity` and `cache_files`. The modules:

- `kernels`: the decorator `kernel`, and operations on arrays that work interpreted and compiled;
- `types`: the twins of kernels, and Numba's types of games, which `game_types` and `attributes` define;
- `array_operations` and `bit_operations`: the compiled forms of functions on arrays and on bits;
- `identity`: a hash of everything in a game that compiled code depends on (`ReplacementDetector` detects changes);
- `constants`: the attributes of a game that are part of its identity;
- `cache`: decides which compiled code is kept on disk;
- `cache_files`: reads and writes the files of compiled code;
- `numba_internals`: replacements for two passes of Numba, and all uses of names that are private in Numba;
- `errors`: replaces Numba's long message about rules that cannot be compiled by one sentence.
"""

import functools
import numbers
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Any

from gamesearch.compiler.kernels import (
    BorrowedArray,
    can_fetch_early,
    fetch_early,
    is_kernel,
    kernel,
    unattached_kernels,
)
from gamesearch.errors import GamesearchError, NotCompilable
from gamesearch.game import Game

__all__ = [
    "SPEEDS", "BorrowedArray", "NotCompilable", "can_fetch_early", "compilations", "compiled", "fetch_early", "kernel",
    "new_rows", "note_changes", "prepare", "run", "speed_for", "why_interpreted",
]  # fmt: skip

SPEEDS = ("auto", "compiled", "interpreted")
"""The values of the option `speed`; `auto` means compiled if possible, and otherwise interpreted."""

_refusals: dict[Any, str] = {}
"""Maps each type of game to the reason why a kernel could not be compiled. If several kernels could not be compiled,
only the first reason is kept."""


@functools.cache
def numba_side() -> Any:
    """Import `gamesearch.compiler.types`, which imports Numba. The result is cached, because even a repeated import
    takes time."""
    from gamesearch.compiler import types

    return types


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled twin of a kernel. The twin is compiled, or loaded from the cache, when it is first called."""
    attach_kernels()
    twin: Callable[..., Any] = numba_side().dispatcher(function)
    return twin


def attach_kernels() -> None:
    """Make a twin for each kernel that has no twin, because compiled kernels call the twins of other kernels."""
    for each in unattached_kernels:
        numba_side().attach_dispatcher(each)
    unattached_kernels.clear()


def new_rows(state: Any, size: int, is_compiled: bool) -> Any:
    """Return storage for `size` states of the same type as `state`: a list, or an array with a row of integers for each
    state.

    `save_state` writes a state into the storage, and `load_state` reads it. Raises NotCompilable if the state has an
    integer that is too wide for Numba.
    """
    if not is_compiled:
        return [None] * size
    import numpy as np

    from gamesearch.compiler.array_operations import row_length
    from gamesearch.compiler.errors import sentence

    try:
        length = row_length(state)
    except ValueError as error:  # Numba has no integer type as wide as an integer of the state
        raise NotCompilable(sentence(error)) from error
    return np.empty((size, length), np.int64)


def note_changes(game: Game) -> None:
    """Check whether a game, or anything that its rules read, has changed. Call this before each search."""
    with suppress(NotCompilable):  # `prepare` raises this error again
        numba_side().note_changes(game)


def speed_for(game: Game, speed: str) -> str:
    """Choose the speed at which a game runs, `compiled` or `interpreted`, given the speed that the user requests.

    If a kernel later fails to compile, this kernel is interpreted. Other kernels of the game are still compiled. Raises
    GamesearchError if `compiled` is requested and no kernel can be compiled for the game.
    """
    if speed not in SPEEDS:
        raise GamesearchError(f"speed {speed!r} is unknown: choose one of {', '.join(SPEEDS)}")
    reason = _why_never_compiled(game)
    if speed == "compiled" and reason is not None:
        raise GamesearchError(f"{game.name or type(game).__name__} cannot be compiled: {reason}")
    if speed == "interpreted" or reason is not None or (speed == "auto" and not game.worth_compiling):
        return "interpreted"
    return "compiled"


def prepare(function: Callable[..., Any], game: Game, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Return the machine code of a kernel, or of a function in a user's file, for the types of `arguments`.

    Call the code only with arguments of the same types. Raises NotCompilable if Numba cannot compile the function or
    the methods that it calls. A failed compilation is not repeated.
    """
    attach_kernels()
    if not is_kernel(function):
        note_changes(game)
        try:
            numba_side().attach_own(function)
        except Exception as error:  # a global of the file cannot be part of the digest
            raise NotCompilable(f"{function.__name__} cannot be read: {type(error).__name__}: {error}") from error
    try:
        code: Callable[..., Any] = numba_side().prepare(function, arguments)
        return code
    except NotCompilable as error:
        if is_kernel(function):
            _refusals.setdefault(numba_side().refusal_key(game), str(error))
        raise


def run(function: Callable[..., Any], game: Game, speed: str, *arguments: Any) -> tuple[Any, str]:
    """Call a kernel. Interpreted code and compiled code must both accept the arguments. For example, they accept an
    `array.array` of numbers. Returns the result and the speed at which the kernel ran."""
    if speed_for(game, speed) == "compiled":
        note_changes(game)
        try:
            return prepare(function, game, (game, *arguments))(game, *arguments), "compiled"
        except NotCompilable as error:
            if speed == "compiled":
                raise GamesearchError(f"{game.name} cannot be compiled: {error}") from error
    return function(game, *arguments), "interpreted"


def why_interpreted(game: Game) -> str | None:
    """The reason why the game, or a kernel for it, is interpreted; None if no reason is known."""
    reason = _why_never_compiled(game)
    if reason is None and _refusals:
        return _refusals.get(numba_side().refusal_key(game))
    return reason


def _why_never_compiled(game: Game) -> str | None:
    """Return the reason why no kernel can be compiled for a game, or None if no reason is found. This function compiles
    nothing."""
    if game.interpreted_because:
        return game.interpreted_because
    return None if _is_numeric(game.initial()) else "its states are not whole numbers or tuples of whole numbers"


def _is_numeric(state: Any) -> bool:
    """Whether a state is a whole number, or a (nested) tuple of whole numbers, as compiled code requires."""
    if type(state) is int:  # the usual case, which does not need the slower test below
        return True
    return all(map(_is_numeric, state)) if isinstance(state, tuple) else isinstance(state, numbers.Integral)


def compilations(started: Callable[[str], None], ended: Callable[[float], None]) -> AbstractContextManager[Any]:
    """A context manager that reports compilations. Before each compilation, `started` is called with the name of the
    kernel. After each compilation, `ended` is called with its duration in seconds.

    Loading code from the cache does not count as a compilation.
    """
    watched: AbstractContextManager[Any] = numba_side().listen_to_compiler(started, ended)
    return watched
