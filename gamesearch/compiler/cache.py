"""Decides which compiled kernels are kept on disk, and builds their identities. `cache_files` writes the files."""

import ast
import functools
import hashlib
import inspect
import pickle
import sys
import textwrap
import types as python_types
from collections.abc import Callable, Collection, Mapping, Set
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba import typeof, types
from numba.core.serialize import dumps

from gamesearch import optional
from gamesearch.compiler import cache_files
from gamesearch.compiler.game_types import GameType
from gamesearch.compiler.identity import code_of, parts_of
from gamesearch.compiler.kernels import is_kernel
from gamesearch.compiler.numba_internals import from_disk, to_disk
from gamesearch.game import Game
from gamesearch.toolkit import bits, vectors

__all__ = ["CacheOnDisk", "is_recursive"]

GROUPS = [each for each in vars(optional).values() if inspect.isclass(each) and issubclass(each, Game)]
"""`Game`, and the groups of optional methods."""
CALLED_BY_KERNELS = frozenset(
    name
    for group in GROUPS
    if group not in (optional.CategorizedGame, optional.UserTree)
    for name in takewhile("steps".__ne__, vars(group))  # kernels call no method that `Game` defines from `steps` on
    if inspect.isfunction(vars(group)[name]) and not name.startswith("_")
)
"""The methods of games and of `gamesearch.optional` that kernels may call."""


class CacheOnDisk:
    """The cache of one kernel. Numba calls its methods. Each compiled version of the kernel has its own file.

    Numba's own cache is not used, because it has two faults. First, Numba gives each file a number. Two processes that
    start together may use the same number. Then one of them may load code for the wrong types of arguments. Second, if
    a kernel calls kernels in other files, Numba does not notice changes in these files. If a CacheOnDisk fails for any
    reason, the kernel is compiled again.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The stored code of the kernel for a signature; None if no code is stored. Every stored file is safe to load,
        because `save_overload` checks the code before it writes a file.
        """
        with suppress(Exception):
            kinds = _arguments_of(signature)
            code = cache_files.read(self.identity(kinds, context))
            if code is not None:
                context.refresh()  # registers functions that the loaded code may call
                parts = pickle.loads(code)
                if tuple(parts[3].args) == kinds:  # the types must also be equal for Numba
                    return from_disk(context, parts)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write compiled code to a file if another process can use it."""
        with suppress(Exception):
            kinds = _arguments_of(signature)
            has_addresses = result.library.has_dynamic_globals or not all(each.can_cache for each in result.lifted)
            if self.may_be_kept(kinds) and self.is_one_of_a_kind(kinds, result) and not has_addresses:
                identity = self.identity(kinds, result.target_context)
                if cache_files.write(identity, dumps(to_disk(result))):
                    cache_files.kept_kernels.add(self.function.__qualname__)

    def identity(self, kinds: tuple[Any, ...], context: Any) -> dict[str, str]:
        """Named texts that describe everything on which the machine code depends."""
        games = [kind for kind in kinds if isinstance(kind, GameType)]
        return {
            "game": " + ".join(_full_name(each.game) for each in games),
            "rules": " + ".join(f"{each.game_name} {each.digest}" for each in games),
            "kernel": f"{self.function.__module__}.{self.function.__qualname__}",
            "source": code_of(self.function).digest.hex(),
            "arguments": ", ".join(map(_description, kinds)),
            "compiler": compiler_digest(),
            "machine": " ".join(map(str, context.codegen().magic_tuple())),
            "versions": f"Python {sys.version}, Numba {numba.__version__}, llvmlite {llvmlite.__version__}",
        }

    def may_be_kept(self, kinds: tuple[Any, ...]) -> bool:
        """Whether the code works in another process. It works there if no function except the kernel is recursive."""
        if any(_has_recursive_rules(kind) for kind in kinds if isinstance(kind, GameType)):
            return False
        return is_kernel(self.function) or not _has_recursive_helpers(self.function)

    def is_one_of_a_kind(self, types_of: tuple[Any, ...], data: Any) -> bool:
        """Guess whether one version of the kernel, compiled for the types `types_of`, is enough. More versions are
        needed if the kernel calls itself with arguments of other types, or if the state and the initial state have
        different types.

        If a kernel was compiled for several types, a version on disk cannot call the versions for other types. For
        example, if a field is 0 in a game's initial state and False in later states, a kernel has two versions.
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


def _full_name(game: Game) -> str:
    """The name of a game. For a game from a file, this is the resolved path. So the name is the same however the path
    is written."""
    return str(Path(game.name).resolve()) if game.name.endswith(".py") else game.name


def _arguments_of(signature: Any) -> tuple[Any, ...]:
    """The types of the arguments. Numba passes either a signature or the tuple of types."""
    return tuple(getattr(signature, "args", signature))


@functools.cache
def _has_recursive_rules(kind: GameType) -> bool:
    return is_recursive(kind.game)


def _has_recursive_helpers(function: Any) -> bool:
    """Whether a function directly or indirectly calls another function that seems to be recursive."""
    called = {each.__name__: set(each.__code__.co_names) for each in code_of(function).functions}
    return _has_cycle(called.keys() - {function.__name__}, called)


def _has_cycle(names: Set[str], called: Mapping[str, set[str]]) -> bool:
    """Whether a function in `names` is recursive, or calls a recursive function directly or indirectly. `called` maps
    each function to the names that are used in its code."""
    path, finished = set[str](), set[str]()

    def leads_back(name: str) -> bool:
        if name in path or name in finished or name not in called:
            return name in path
        path.add(name)
        found = any(map(leads_back, called[name]))
        path.remove(name)
        finished.add(name)
        return found

    return any(map(leads_back, names))


def _description(kind: Any) -> str:
    """Describe a type as text. Unlike Numba's own text, the text for a NamedTuple contains the module and the names of
    the fields."""
    if not isinstance(kind, types.BaseTuple):
        return str(kind)
    cls = getattr(kind, "instance_class", tuple)
    names = " ".join(getattr(kind, "fields", ()))
    return f"{cls.__module__}.{cls.__qualname__}[{names}]({', '.join(map(_description, kind.types))})"


@functools.cache
def compiler_digest() -> str:
    """A digest of the files of this folder, and of the modules whose functions have compiled forms in this folder. The
    digest includes comments and docstrings, because parsing the files to exclude them would take too long."""
    paths = [*sorted(Path(__file__).parent.glob("*.py")), Path(bits.__file__), Path(vectors.__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def is_recursive(game: Game, names: Set[str] = CALLED_BY_KERNELS) -> bool:
    """Whether a method with one of the given names seems to call itself, directly or indirectly. Some games wrap
    another game, so the methods of all inner games are included."""
    called: dict[str, set[str]] = {}
    code = code_of(type(game))
    for function in code.functions:
        called.setdefault(function.__name__, set()).update(_called_by(function, game))
    if _has_cycle(names, called):
        return True
    reached = _reachable(names, called)
    of_parts = names | {name for each in code.functions if each.__name__ in reached for name in each.__code__.co_names}
    return any(is_recursive(part, of_parts) for _, part in parts_of(game, code))


def _reachable(names: Set[str], called: Mapping[str, set[str]]) -> set[str]:
    """The names of all functions that the named functions call, directly or indirectly."""
    reached, waiting = set[str](), names & called.keys()
    while waiting:
        reached |= waiting
        waiting = set[str]().union(*(called[each] for each in waiting)) & called.keys() - reached
    return reached


def _called_by(function: python_types.FunctionType, game: Game) -> set[str]:
    """The names of the functions, and of the game's methods, that a function uses."""
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


def _is_of_rules(path: list[str], own: Collection[str], modules: Collection[str], game: Game) -> bool:
    """Whether a dotted name refers to a function of a module, a method of the game, or a method of an inner game."""
    first, *parts, name = path
    if first not in own:
        return first in modules
    owner: Any = game
    for part in parts:
        owner = inspect.getattr_static(owner, part, None)
    if not isinstance(owner, Game):
        return owner is None  # an unknown owner, such as an item of a tuple, may be a game
    return inspect.getattr_static(owner, name, None) is inspect.getattr_static(game, name, None)
