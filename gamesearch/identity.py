"""What makes a game the game it is: its class, its constants, and all that its rules read by name.

Compiled code is good for one such identity. It has taken in every constant of the game, the code of its
methods, and what the names in that code stand for, wherever they come from: a helper in the same file,
a constant that was imported from another one, an attribute of a module. Leave one of these out, and
code compiled before an edit answers for the rules after it. What a game declares `tunable`, as its
weights, is not part of the identity: compiled code reads it at run time.
"""

import enum
import functools
import hashlib
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from gamesearch.game import Game

__all__ = ["Code", "code_of", "constants_of", "digest_of", "is_constant", "is_method", "parts_of"]

FOREIGN = {"numpy", "numba", "llvmlite", "chess", *sys.stdlib_module_names}
"""Packages whose code is not looked into: a digest of the versions that are installed is kept elsewhere."""
NOTHING = object()


# What compiled code may read of a game. ----------------------------------------------------------
def constants_of(game: Game[Any]) -> dict[str, Any]:
    """The numbers, tuples, arrays and other games that are attributes of a game; not what is tunable."""
    names = {name for cls in type(game).__mro__ for name in vars(cls)} | set(vars(game))
    values = {}
    for name in sorted(name for name in names if not name.startswith("__") and name not in game.tunable):
        with suppress(Exception):  # of a property, which no rule may ever ask for
            values[name] = getattr(game, name)
    return {name: value for name, value in values.items() if is_constant(value)}


def parts_of(game: Game[Any]) -> Iterator[tuple[tuple[Any, ...], Game[Any]]]:
    """The games that are attributes of a game, or stand in its tuples, with the path to each: name and places."""

    def inside(path: tuple[Any, ...], value: Any) -> Iterator[tuple[tuple[Any, ...], Game[Any]]]:
        if isinstance(value, Game):
            yield path, value
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                yield from inside((*path, place), item)

    for name in sorted(vars(game)):
        yield from inside((name,), vars(game)[name])


def is_constant(value: Any) -> bool:
    """Whether compiled code may read such an attribute of a game."""
    if isinstance(value, tuple):
        return bool(value) and all(is_constant(item) for item in value)
    return isinstance(value, bool | int | float | Game) or is_of_numpy(value)


def is_of_numpy(value: Any) -> bool:
    """Whether a value is an array or a number of NumPy, which is not imported for the question."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray | numpy.number)


def is_method(value: Any) -> bool:
    """Whether an attribute of a class is a method that compiled code can call."""
    return isinstance(value, types.FunctionType | staticmethod)


def digest_of(game: Game[Any]) -> str:
    """A digest of the class, its code and all constants; equal in every process."""
    digest = hashlib.sha256(f"{type(game).__module__}.{type(game).__qualname__}".encode())
    digest.update(code_of(type(game)).digest)
    for name, value in constants_of(game).items():
        digest.update(name.encode() + b"=" + content(value))
    return digest.hexdigest()[:16]


def content(value: Any) -> bytes:
    """What makes a constant differ from others."""
    if isinstance(value, tuple):
        return b"(" + b",".join(map(content, value)) + b")"
    if isinstance(value, Game):
        return digest_of(value).encode()
    if hasattr(value, "tobytes"):  # NumPy's
        layout = (value.dtype.str, value.shape, getattr(value, "strides", ()))
        return str(layout).encode() + bytes(value.tobytes())
    return f"{type(value).__name__} {value!r}".encode()


# The code of a class. ----------------------------------------------------------------------------
class Code:
    """The functions that the rules of a class lead to, and what every name in them stands for."""

    is_attached = False
    """Whether the compiler knows the functions."""
    is_changed = False
    """Whether a name stands for something else than when the code of the class was read before."""

    def __init__(self, cls: type) -> None:
        self.functions: dict[types.FunctionType, None] = {}
        self.read: list[tuple[Mapping[str, Any], str, Any]] = []
        self.sizes: list[tuple[Mapping[str, Any], int]] = []
        self.games: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self.seen: set[int] = set()
        self.hash = hashlib.sha256()
        for each in classes_of(cls):
            self.sizes.append((vars(each), len(vars(each))))
            self.add_class(each)
        self.digest = self.hash.digest()

    def is_current(self) -> bool:
        """Whether all names still stand for what they stood for when they were read."""
        for names, name, value in self.read:  # a loop takes half the time of all() over a generator
            if names.get(name, NOTHING) is not value:
                return False
        return all(len(names) == size for names, size in self.sizes) and all(map(are_same, self.games))

    def note(self, *parts: object) -> None:
        """Take the texts of some values into the digest."""
        for part in parts:
            self.hash.update(f"{type(part).__name__} {part!r}\0".encode())

    def look_up(self, names: Mapping[str, Any], name: str) -> Any:
        """What a name stands for; kept for `is_current`."""
        self.read.append((names, name, names[name]))
        self.note(name)
        return names[name]

    def add(self, value: Any) -> None:
        """Take in what a name stands for, and what that leads to."""
        value = getattr(value, "py_func", value)  # of a function that is compiled by Numba already
        value = getattr(value, "__func__", value)  # of a static method, or one of a class
        if isinstance(value, types.FunctionType | type):
            self.note(value.__module__, value.__qualname__)
            if not is_foreign(value.__module__):
                self.add_class(value) if isinstance(value, type) else self.add_function(value)
        elif isinstance(value, enum.Enum):
            self.note(value.name, value.value)
        elif isinstance(value, Game):
            self.add_game(value)
        elif is_constant(value):
            self.hash.update(content(value))
        elif isinstance(value, tuple | list):
            self.note(len(value))
            for item in value:
                self.add(item)
        elif isinstance(value, str | bytes | None):
            self.note(value)
        else:  # Numba knows what it is by its type, or not at all
            self.note(type(value).__module__, type(value).__qualname__)

    def add_class(self, cls: type) -> None:
        """Take in what the attributes of a class stand for; its methods are rules wherever they were written."""
        if id(cls) not in self.seen:
            self.seen.add(id(cls))
            self.note(getattr(cls, "_fields", ()))
            for name in sorted(name for name in vars(cls) if not name.startswith("__")):
                value = self.look_up(vars(cls), name)
                if is_method(value):
                    self.add_function(getattr(value, "__func__", value))
                else:
                    self.add(value)

    def add_function(self, function: types.FunctionType) -> None:
        """Take in a function: its code, its defaults, and what the names in it stand for."""
        if function in self.functions:
            return
        self.functions[function] = None
        codes = list(code_objects(function.__code__))
        for code in codes:
            self.note(code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount, code.co_kwonlyargcount)
            self.note(code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
            self.note(*(literal(each) for each in code.co_consts))
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.add(value)
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # of a cell that is still empty
                self.add(cell.cell_contents)
        self.add_names(function.__globals__, sorted({name for code in codes for name in code.co_names}))

    def add_game(self, game: Game[Any]) -> None:
        """Take in a game that the code names: it is a constant with all that it has, its tunable numbers included."""
        self.games.append((vars(game), vars(game).copy()))
        self.note(digest_of(game), *(tuple(getattr(game, name)) for name in game.tunable))
        for _, part in parts_of(game):
            self.add_game(part)

    def add_names(self, names: Mapping[str, Any], used: list[str]) -> None:
        """Take in what used names stand for in a module, and in the modules that some of them stand for."""
        for name in used:
            if name in names:
                value = self.look_up(names, name)
                if not isinstance(value, types.ModuleType):
                    self.add(value)
                elif not is_foreign(value.__name__):
                    self.add_names(vars(value), [each for each in used if each != name])


def are_same(attributes: tuple[dict[str, Any], dict[str, Any]]) -> bool:
    """Whether the attributes of a game are those of before."""
    now, before = attributes
    return len(now) == len(before) and all(now.get(name, NOTHING) is value for name, value in before.items())


_codes: dict[type, Code] = {}


def code_of(cls: type) -> Code:
    """The code of a class as it is now: read again where a name in it stands for something else than before."""
    known = _codes.get(cls)
    if known is None or not known.is_current():
        known, before = Code(cls), known
        known.is_changed = before is not None and before.digest != known.digest
        _codes[cls] = known
    return known


def classes_of(cls: type) -> list[type]:
    """The classes that the rules are in: the game's and all that it inherits from but those of other packages."""
    return [each for each in cls.__mro__ if each.__module__.partition(".")[0] not in FOREIGN]


@functools.cache
def is_foreign(module: str) -> bool:
    """Whether a module has no rules: those of other packages, and ours but for the games.

    Ours are in the digest of the kernels, and what compiled code may call of them Numba knows already.
    """
    first, _, rest = module.partition(".")
    return first in FOREIGN or (first == "gamesearch" and not rest.startswith("games."))


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those of the functions inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from code_objects(each)


def literal(value: Any) -> Any:
    """A literal of a code object in a form that is the same in every process."""
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return value.co_qualname if isinstance(value, types.CodeType) else value
