"""What makes a game the game it is: its class, its constants, and all that its rules read by name.

Compiled code is good for one such identity. It has taken in every constant of the game, the code of its
methods, and what the names in that code stand for, wherever they come from: a helper in the same file,
a constant that was imported from another one, an attribute of a module. Leave one of these out, and
code compiled before an edit answers for the rules after it. So whatever is taken into the digest is
also watched, in case a running program changes it, and arrays among it can no longer be changed. What a
game declares `tunable`, as its weights, is not part of the identity: compiled code reads it at run time.
"""

import builtins
import enum
import functools
import hashlib
import inspect
import operator
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from gamesearch.game import Game
from gamesearch.specified import Specified

__all__ = [
    "Code",
    "attributes_of",
    "code_of",
    "digest_of",
    "is_constant",
    "is_method",
    "is_part",
    "parts_of",
    "snapshot",
    "stored",
]

FOREIGN = {"numpy", "numba", "llvmlite", "chess", *sys.stdlib_module_names}
"""Packages whose code is not looked into: a digest of the versions that are installed is kept elsewhere."""
NOTHING = object()
CODE, DEFAULTS, NAMED_DEFAULTS = map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__"))
"""Looks at what of a function can be changed in place."""
MRO = operator.attrgetter("__mro__")
"""Looks at the bases of a class."""


# The attributes of a game. ------------------------------------------------------------------------
def attributes_of(game: Game[Any]) -> dict[str, Any]:
    """What was assigned to a game itself, in `__init__` or later."""
    cls: Any = type(game)
    return vars(game) | {name: getattr(game, name) for name in slots_of(cls) if hasattr(game, name)}


@functools.cache
def slots_of(cls: Any) -> tuple[str, ...]:
    """The attributes that the classes of a game's rules declare as slots."""
    declared = [vars(each).get("__slots__", ()) for each in classes_of(cls) if each is not Specified]
    return tuple(name for each in declared for name in ((each,) if isinstance(each, str) else each))


def stored(game: Game[Any], name: str) -> Any:
    """An attribute of a game or its class that is not computed, as a property is; NOTHING where there is none."""
    if name in vars(game):
        return vars(game)[name]
    value = inspect.getattr_static(type(game), name, NOTHING)
    return getattr(game, name, NOTHING) if isinstance(value, types.MemberDescriptorType) else value


def constants_of(game: Game[Any]) -> dict[str, Any]:
    """The numbers, tuples, arrays and other games that are attributes of a game; not what is tunable."""
    names = {name for cls in type(game).__mro__ for name in vars(cls)} | set(vars(game))
    values = {}
    for name in sorted(name for name in names if not name.startswith("__") and name not in game.tunable):
        with suppress(Exception):  # of a property, which no rule may ever ask for
            values[name] = getattr(game, name)
    return {name: value for name, value in values.items() if is_constant(value)}


def parts_of(game: Game[Any], code: "Code | None" = None) -> Iterator[tuple[tuple[Any, ...], Game[Any]]]:
    """The games that are attributes of a game, or stand in its tuples, with the path to each: name and places."""

    def inside(path: tuple[Any, ...], value: Any) -> Iterator[tuple[tuple[Any, ...], Game[Any]]]:
        if isinstance(value, Game):
            yield path, value
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                yield from inside((*path, place), item)

    found = {name: value for name, value in attributes_of(game).items() if is_part(value)}
    for name in (code or code_of(type(game))).parts:
        if is_part(value := stored(game, name)):
            found[name] = value
    for name in sorted(found):
        yield from inside((name,), found[name])


def is_part(value: Any) -> bool:
    """Whether a value is a game, or a tuple that compiled code can read with a game somewhere in it."""
    return isinstance(value, Game) or (isinstance(value, tuple) and is_constant(value) and any(map(is_part, value)))


def is_constant(value: Any) -> bool:
    """Whether compiled code may read such an attribute of a game."""
    if isinstance(value, tuple):
        return bool(value) and all(is_constant(item) for item in value)
    return isinstance(value, bool | int | float | Game) or is_of_numpy(value)


def is_of_numpy(value: Any) -> bool:
    """Whether a value is an array or a number of NumPy, which is not imported for the question."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray | numpy.generic)


def is_method(value: Any) -> bool:
    """Whether an attribute of a class is a method that compiled code can call."""
    return isinstance(value.__func__ if isinstance(value, staticmethod) else value, types.FunctionType)


def snapshot(game: Game[Any]) -> Game[Any]:
    """The game as it is now, with those inside it, which no later assignment to them changes."""

    def held(value: Any) -> Any:
        if isinstance(value, Game):
            return snapshot(value)
        if not is_part(value):
            return value
        items = map(held, value)
        return type(value)._make(items) if hasattr(value, "_make") else tuple(items)

    now: Game[Any] = type(game).__new__(type(game))
    for name, value in attributes_of(game).items():
        object.__setattr__(now, name, held(value))
    return now


# The digest. --------------------------------------------------------------------------------------
def digest_of(game: Game[Any]) -> str:
    """A digest of the class, its code and all constants; equal in every process."""
    digest = hashlib.sha256(f"{type(game).__module__}.{type(game).__qualname__}".encode())
    digest.update(code_of(type(game)).digest)
    constants = constants_of(game)
    for name, value in constants.items():
        digest.update(name.encode() + b"=" + content(value))
    for name, value in attributes_of(game).items():
        if name not in constants and name not in game.tunable:  # which may hide a method
            digest.update(f"{name}: {type(value).__qualname__}".encode())
    return digest.hexdigest()[:16]


def content(value: Any) -> bytes:
    """What makes a constant differ from others. An array cannot be changed from then on."""
    if isinstance(value, tuple):
        fields = f"{type(value).__module__}.{type(value).__qualname__}{getattr(value, '_fields', '')}"
        return fields.encode() + b"(" + b",".join(map(content, value)) + b")"
    if isinstance(value, Game):
        return digest_of(value).encode()
    if is_of_numpy(value):
        array = value
        while getattr(array, "flags", None) is not None and hasattr(array, "setflags"):
            array.setflags(write=False)
            array = getattr(array, "base", None)
        layout = (value.dtype.descr, value.shape, getattr(value, "strides", ()))
        return str(layout).encode() + bytes(value.tobytes())
    return f"{type(value).__name__} {value!r}".encode()


# The code of a class. -----------------------------------------------------------------------------
class Code:
    """The code that the rules of a class lead to: classes, functions and named games, and what they read.

    Each of these is a node with a digest of its own, and leads to others; the digest of a whole is that
    of all nodes that it leads to.
    """

    is_attached = False
    """Whether the compiler knows the functions."""

    def __init__(self, cls: type) -> None:
        self.nodes: dict[int, Any] = {}
        self.own: dict[int, bytes] = {}
        self.leads_to: dict[int, set[int]] = {}
        self.hash, self.leads = hashlib.sha256(), set[int]()
        self.looks: dict[Callable[[Any], Any], tuple[list[Any], list[Any]]] = {}
        """Each way to look at all that was read, at what, and what was found there."""
        self.is_watching = True
        classes = classes_of(cls)
        self.parts: list[str] = []
        """The attributes of the classes that hold games."""
        for each in classes:
            self.add_class(each)
            self.parts += [name for name, value in vars(each).items() if is_part(value)]
        self.digest = self.digest_from(self.leads)

    @property
    def functions(self) -> list[types.FunctionType]:
        """The methods and helper functions."""
        return [node for node in self.nodes.values() if isinstance(node, types.FunctionType)]

    @property
    def games(self) -> list[Game[Any]]:
        """The games that the code names."""
        return [node for node in self.nodes.values() if isinstance(node, Game)]

    def is_current(self) -> bool:
        """Whether all that was read still is what it was."""
        for look, (at, found) in self.looks.items():
            if not all(map(operator.is_, map(look, at), found)):
                return False
        return True

    def digest_from(self, start: set[int]) -> bytes:
        """The digest of all nodes that some lead to, themselves included."""
        reached, waiting = set[int](), set(start)
        while waiting:
            reached |= waiting
            waiting = set[int]().union(*(self.leads_to[each] for each in waiting)) - reached
        return hashlib.sha256(b"".join(sorted(self.own[each] for each in reached))).digest()

    def digest_of_function(self, function: types.FunctionType) -> bytes:
        """The digest of one function and all that it leads to."""
        return self.digest_from({id(function)})

    # What was read, and is watched. --------------------------------------------------------------
    def note(self, *parts: object) -> None:
        """Take the texts of some values into the digest of the present node."""
        for part in parts:
            self.hash.update(f"{type(part).__name__} {part!r}\0".encode())

    def look_up(self, names: Mapping[str, Any], name: str) -> Any:
        """What a name stands for."""
        self.note(name)
        return self.look(names.get, name)

    def look(self, look: Callable[[Any], Any], at: Any) -> Any:
        """What a look at something finds: the same thing again, as long as nothing changes."""
        found = look(at)
        if self.is_watching:
            places, findings = self.looks.setdefault(look, ([], []))
            places.append(at)
            findings.append(found)
        return found

    # Nodes. --------------------------------------------------------------------------------------
    def add_node(self, value: Any, describe: Callable[[Any], None]) -> None:
        """Let the present node lead to another one, which is described unless it has been."""
        self.leads.add(id(value))
        if id(value) not in self.nodes:
            self.nodes[id(value)] = value
            outer, self.hash, self.leads = (self.hash, self.leads, self.is_watching), hashlib.sha256(), set()
            # Of what is ours, nobody changes more than a class's attributes, and every search would take the
            # longer for looking at it.
            module = type(value).__module__ if isinstance(value, Game) else value.__module__
            is_ours = module.startswith("gamesearch.") and isinstance(value, types.FunctionType)
            self.is_watching = not is_ours and not is_foreign(module)
            describe(value)
            self.own[id(value)], self.leads_to[id(value)] = self.hash.digest(), self.leads
            self.hash, self.leads, self.is_watching = outer

    def add(self, value: Any) -> None:
        """Take in what a name stands for."""
        value = getattr(value, "py_func", value)  # of a function that is compiled by Numba already
        value = getattr(value, "__func__", value)  # of a static method, or one of a class
        if isinstance(value, property):
            value = value.fget
        if isinstance(value, types.FunctionType | type):
            self.note(value.__module__, value.__qualname__)
            if not is_foreign(value.__module__):
                self.add_class(value) if isinstance(value, type) else self.add_function(value)
        elif isinstance(value, enum.Enum):
            self.note(value.name, value.value)
        elif isinstance(value, Game):
            self.add_node(value, self.describe_game)
        elif isinstance(value, tuple | list) and not is_constant_without_games(value):
            self.note(type(value).__qualname__, len(value))
            for item in value:
                self.add(item)
        elif is_constant(value):
            self.hash.update(content(value))
        elif isinstance(value, str | bytes | complex | None):
            self.note(value)
        else:  # Numba knows what it is by its type, or not at all
            self.note(type(value).__module__, type(value).__qualname__)

    def add_class(self, cls: type) -> None:
        """Take in a class; its methods are rules wherever they were written."""
        self.add_node(cls, self.describe_class)

    def add_function(self, function: types.FunctionType) -> None:
        """Take in a function."""
        self.add_node(function, self.describe_function)

    def describe_class(self, cls: type) -> None:
        """Take in what the attributes of a class stand for."""
        self.note(cls.__module__, cls.__qualname__, getattr(cls, "_fields", ()))
        own = vars(cls)
        self.look(MRO, cls)
        self.look(len, own)
        for name in sorted(name for name in own if not name.startswith("__")):
            value = self.look_up(own, name)
            if is_method(value):
                self.note(type(value).__name__)
                self.add_function(getattr(value, "__func__", value))
            else:
                self.add(value)

    def describe_function(self, function: types.FunctionType) -> None:
        """Take in the code of a function, its defaults, and what the names in it stand for."""
        self.note(function.__module__, function.__qualname__)
        codes = list(code_objects(self.look(CODE, function)))
        for code in codes:
            self.note(code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount, code.co_kwonlyargcount)
            self.note(code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
            self.note(*(literal(each) for each in code.co_consts))
        for value in (*(self.look(DEFAULTS, function) or ()), *(self.look(NAMED_DEFAULTS, function) or {}).values()):
            self.add(value)
        for cell in function.__closure__ or ():
            self.add(self.look(cell_contents, cell))
        self.add_names(function.__globals__, sorted({name for code in codes for name in code.co_names}), set())

    def describe_game(self, game: Game[Any]) -> None:
        """Take in a game that the code names: it is a constant with all that it has, its tunable numbers included."""
        for cls in classes_of(type(game)):
            self.add_class(cls)
        self.look(len, vars(game))
        for name in sorted(vars(game)):
            self.look_up(vars(game), name)
        for name, value in constants_of(game).items():
            self.note(name)
            self.add(value)
        for name in game.tunable:
            self.hash.update(content(getattr(game, name)))

    def add_names(self, names: Mapping[str, Any], used: list[str], looked_into: set[int]) -> None:
        """Take in what used names stand for in a module, and in the modules that some of them stand for."""
        for name in used:
            if name in names:
                value = self.look_up(names, name)
                if not isinstance(value, types.ModuleType):
                    self.add(value)
                elif not is_foreign(value.__name__) and id(value) not in looked_into:
                    self.add_names(vars(value), used, looked_into | {id(value)})
            elif hasattr(builtins, name):
                self.look(names.get, name)  # nothing, until a global hides the builtin


def is_constant_without_games(value: Any) -> bool:
    """Whether a value is a number, an array, or a tuple of these, with no game in it."""
    return is_constant(value) and not is_part(value)


def cell_contents(cell: types.CellType) -> Any:
    """What a variable of the function around stands for; nothing as long as it has no value."""
    with suppress(ValueError):
        return cell.cell_contents
    return None


_codes: dict[type, Code] = {}


def code_of(cls: type) -> Code:
    """The code of a class as it is now: read again where anything in it has changed."""
    known = _codes.get(cls)
    if known is None or not known.is_current():
        known = _codes[cls] = Code(cls)
    return known


def classes_of(cls: type) -> list[type]:
    """The classes that the rules are in: the game's and all that it inherits from but those of other packages."""
    return [each for each in cls.__mro__ if each.__module__.partition(".")[0] not in FOREIGN]


@functools.cache
def is_foreign(module: str | None) -> bool:
    """Whether a module has no rules: those of other packages, and ours but for the games.

    Ours are in the digest of the kernels, and what compiled code may call of them Numba knows already.
    """
    first, _, rest = (module or "").partition(".")
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
