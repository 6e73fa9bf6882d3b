"""One source, two speeds.

A *kernel* is a plain Python function marked by `@kernel`: called as it is, it runs interpreted, and
`compiled(kernel)` is its twin made by Numba from the same source. Inside a kernel, calls of other
kernels, of a game's methods, inherited ones included, and of the helper functions that these name,
whichever file they are in, are resolved to their compiled twins, so nothing has to be written, or
marked, a second time. What compiled code has taken in is part of the identity that it is kept under
(`gamesearch.compiler.identity`): edit any of it, and the rules are compiled again.

Numba is imported on the first call of `compiled`, never before: most commands start without it.
This module is what the rest of the package sees. Beside it:

- `kernels`: the functions marked, and a digest of the files they are in;
- `types`: how Numba sees kernels and games, with `game_types`, `attributes`, `bit_operations`,
  `wide_bits` and `row_operations` for the parts of it;
- `identity`: what makes a game the game it is;
- `cache` and `cache_files`: what is kept of compiled code, and the files it is kept in;
- `rows`: states written into arrays;
- `errors`: one sentence out of what Numba says of rules that it cannot compile.
"""

import numbers
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gamesearch.compiler.kernels import kernel, kernels_digest, unattached_kernels
from gamesearch.errors import GamesearchError, NotCompilable
from gamesearch.game import Game

__all__ = [
    "SPEEDS",
    "NotCompilable",
    "compilations",
    "compiled",
    "import_numba",
    "kernel",
    "kernels_digest",
    "new_rows",
    "note_changes",
    "prepared",
    "run",
    "speed_for",
    "why_interpreted",
]

SPEEDS = ("auto", "compiled", "interpreted")
"""`auto` compiles where that is possible and runs interpreted where it is not."""

_refusals: dict[Any, str] = {}
"""What Numba said of the first kernel that it could not compile for a game, by the game's type."""


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled twin of a kernel; it is compiled, or loaded from the cache, when first called."""
    from gamesearch.compiler import types

    for each in unattached_kernels:
        types.attach_dispatcher(each)
    unattached_kernels.clear()
    return types.dispatcher(function)


def new_rows(state: Any, size: int, is_compiled: bool) -> Any:
    """Room for so many states like the given one: a list, or integers in rows of an array.

    `gamesearch.compiler.rows` writes states there and reads them back.
    """
    if not is_compiled:
        return [None] * size
    import numpy as np

    from gamesearch.compiler.row_operations import row_length

    return np.empty((size, row_length(state)), np.int64)


def import_numba() -> None:
    """Import Numba now rather than in the middle of something that is timed."""
    import gamesearch.compiler.types  # noqa: F401


def note_changes(game: Game[Any]) -> None:
    """Notice what of a game, or of what its rules name, was changed since code for it was compiled; once a search."""
    from gamesearch.compiler import types

    with suppress(NotCompilable):  # which is said when a kernel is prepared
        types.note_changes(game)


def speed_for(game: Game[Any], speed: str) -> str:
    """`compiled` or `interpreted`: what a game runs at when `speed` is asked for, as far as its rules tell.

    A kernel that turns out not to compile runs interpreted, and no other does for that. Raises
    GamesearchError where `compiled` is asked for and out of reach of every kernel.
    """
    if speed not in SPEEDS:
        raise GamesearchError(f"speed {speed!r} is unknown: it is one of {', '.join(SPEEDS)}")
    reason = _why_never_compiled(game)
    if speed == "compiled" and reason is not None:
        raise GamesearchError(f"{game.name or type(game).__name__} cannot be compiled: {reason}")
    if speed == "interpreted" or reason is not None or (speed == "auto" and not game.worth_compiling):
        return "interpreted"
    return "compiled"


def prepared(function: Callable[..., Any], game: Game[Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """The compiled twin of a kernel, ready for such arguments.

    Raises NotCompilable where what the kernel asks of the game is beyond Numba, the second time at once.
    """
    from gamesearch.compiler import types

    twin = compiled(function)
    try:
        types.prepare(twin, arguments)
    except NotCompilable as error:
        _refusals.setdefault(types.refusal_key(game), str(error))
        raise
    return twin


def run(function: Callable[..., Any], game: Game[Any], speed: str, *arguments: Any) -> tuple[Any, str]:
    """Call a kernel with arguments that suit both speeds; give its result and the speed it ran at."""
    if speed_for(game, speed) == "compiled":
        note_changes(game)
        try:
            return prepared(function, game, (game, *arguments))(game, *arguments), "compiled"
        except NotCompilable as error:
            if speed == "compiled":
                raise GamesearchError(f"{game.name} cannot be compiled: {error}") from error
    return function(game, *arguments), "interpreted"


def why_interpreted(game: Game[Any]) -> str | None:
    """Why the game, or some kernel for it, does not run compiled; None where all does, as far as is known."""
    reason = _why_never_compiled(game)
    if reason is None and _refusals:
        from gamesearch.compiler import types

        return _refusals.get(types.refusal_key(game))
    return reason


def _why_never_compiled(game: Game[Any]) -> str | None:
    """Why no kernel runs compiled for a game; None where its rules and states do not tell."""
    if game.interpreted_because:
        return game.interpreted_because
    return None if _is_numeric(game.initial()) else "its states are not tuples of whole numbers alone"


def _is_numeric(state: Any) -> bool:
    """Whether a state is made of what compiled code can hold: whole numbers, in tuples or alone."""
    if type(state) is int:  # which spares most a question that takes longer
        return True
    return all(map(_is_numeric, state)) if isinstance(state, tuple) else isinstance(state, numbers.Integral)


@contextmanager
def compilations(started: Callable[[str], None], ended: Callable[[float], None]) -> Iterator[None]:
    """Call `started(name of the kernel)` and `ended(seconds)` around each real compilation.

    What is loaded from the cache is not announced.
    """
    from gamesearch.compiler import types

    with types.listening(started, ended):
        yield
