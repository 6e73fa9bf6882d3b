"""Where the compiled code of kernels is kept, and when it is not."""

import ast
import inspect
import textwrap
import types as python_types
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import platformdirs
from numba import typeof, types
from numba.core import config
from numba.core.caching import FunctionCache, NullCache

from gamesearch import compiler
from gamesearch.game import Game
from gamesearch.identity import code_of
from gamesearch.numba_games import GameType

__all__ = ["CacheOnDisk", "is_recursive"]

ASKED_BY_KERNELS = (
    "player", "moves", "result", "outcomes", "terminal", "utility", "features", "evaluate", "bounds", "order", "key",
    "level", "states_of_level", "arrangement", "progress", "consistent",
)  # fmt: skip


class CacheOnDisk:
    """What Numba asks of a kernel's cache: a folder for each state of the package's sources and each game.

    Numba notices edits of the file a kernel is in, not of the files whose kernels it calls. And the
    index of one of its folders cannot be read where a type that it names is not at hand, such as the
    states of a game in some other file on the user's disk. Whatever goes wrong, the kernel is compiled.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.caches: dict[str, Any] = {}

    def load_overload(self, signature: Any, context: Any) -> Any:
        with suppress(Exception):
            return self.cache_for(signature).load_overload(signature, context)
        return None

    def save_overload(self, signature: Any, data: Any) -> None:
        with suppress(Exception):
            if self.is_one_of_a_kind(getattr(signature, "args", signature), data):
                self.cache_for(signature).save_overload(signature, data)

    def is_one_of_a_kind(self, types_of: tuple[Any, ...], data: Any) -> bool:
        """Whether a kernel that calls itself does so with the same types, and others do not call this version.

        Numba's cache loses the one version of a kernel that another calls. There are two where a
        game's first state has a 0 for what is False in later ones.
        """
        games = [each.game for each in types_of if isinstance(each, GameType)]
        if games and isinstance(types_of[1], types.BaseTuple) and types_of[1] != typeof(games[0].initial()):
            return False
        notes = data.type_annotation
        for call, called in notes.calltypes.items():
            kind = notes.typemap[call.func.name] if getattr(call, "op", "") == "call" else None
            kind = getattr(kind, "dispatcher_type", kind)
            if getattr(getattr(kind, "dispatcher", None), "py_func", None) is self.function:
                if tuple(called.args) != tuple(types_of):
                    return False
        return True

    def cache_for(self, signature: Any) -> Any:
        """Numba's own cache in the folder of the game that a signature has; none for recursive rules."""
        games = [each for each in getattr(signature, "args", signature) if isinstance(each, GameType)]
        name = "-".join(f"{game.game_name}-{game.digest}" for game in games) or "any"
        if name not in self.caches:
            is_kept = not any(is_recursive(each.game) for each in games)
            self.caches[name] = self.new_cache(name) if is_kept else NullCache()
        return self.caches[name]

    def new_cache(self, name: str) -> Any:
        folder = Path(platformdirs.user_cache_dir("gamesearch")) / "compiled" / compiler.kernels_digest() / name
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)  # a global setting of Numba's: put it back
        try:
            return FunctionCache(self.function)
        except (RuntimeError, OSError):  # a home that cannot be written: no cache
            return NullCache()
        finally:
            config.CACHE_DIR = before


def is_recursive(game: Game[Any]) -> bool:
    """Whether some function that kernels need seems to call itself, maybe by way of others."""
    called: dict[str, set[str]] = {}
    for function in code_of(type(game)).functions:
        called.setdefault(function.__name__, set()).update(_called_by(function, game))

    def leads_back(name: str, path: tuple[str, ...]) -> bool:
        return name in path or any(leads_back(each, (*path, name)) for each in called[name] if each in called)

    return any(leads_back(name, ()) for name in ASKED_BY_KERNELS if name in called)


def _called_by(function: python_types.FunctionType, game: Game[Any]) -> set[str]:
    """The names of the functions, of those in other modules and of the game's own methods that a function uses."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return set(function.__code__.co_names)
    own = function.__code__.co_varnames[:1]
    modules = [name for name, value in function.__globals__.items() if isinstance(value, python_types.ModuleType)]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names.difference(function.__code__.co_varnames, modules) | {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and _is_of_rules(ast.unparse(node).split("."), own, modules, game)
    }


def _is_of_rules(path: list[str], own: Collection[str], modules: Collection[str], game: Game[Any]) -> bool:
    """Whether a dotted name is in a module, or of the game, or of a part of it that has it from the same class."""
    first, *parts, name = path
    if first not in own:
        return first in modules
    owner: Any = game
    for part in parts:
        owner = inspect.getattr_static(owner, part, None)
    if not isinstance(owner, Game):
        return owner is None  # as for an item of a tuple: it may be
    return inspect.getattr_static(owner, name, None) is inspect.getattr_static(game, name, None)
