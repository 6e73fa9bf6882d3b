"""The identity of a game: a digest of its class, its constants, and every object that its rules refer to by name.

Compiled code is used only for games with the same identity. The digest includes every constant of the game, the code of
its methods, and the values of the names in this code: a helper in the same file, a constant imported from another file,
an attribute of a module. If the digest omitted such a value, old compiled code would still run after an edit of the
rules. A running program may also change the rules. So the code of users and of `gamesearch.games` is watched, and
arrays in the digest are made read-only. Other code of gamesearch is not watched, because programs do not change it, and
watching would slow down each search. Attributes that a game declares `tunable`, such as its weights, are not part of
the identity: compiled code reads them at run time.
"""

import builtins
import enum
import functools
import hashlib
import operator
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any

from gamesearch.compiler.constants import (
    FOREIGN,
    attributes_of,
    classes_of,
    constants_of,
    is_constant,
    is_flat,
    is_method,
    is_of_numpy,
    is_part,
    read_attribute,
)
from gamesearch.compiler.kernels import is_kernel
from gamesearch.game import Game

__all__ = ["Code", "ReplacementDetector", "code_of", "digest_of", "parts_of"]

Comparison = tuple[Callable[[Any], Iterable[Any]], Any, tuple[Any, ...]]
"""A triple: a function that reads watched values, the argument of this function, and the values that its first call
returned."""
UNIQUE = (BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType, classmethod, property, staticmethod, type)
"""Types whose objects are compared by `==`. Most such objects are equal only if they are identical; code objects are
equal if their code is equal."""


class ReplacementDetector:
    """Detects changes: whether any value that was built into compiled code has been replaced since then.

    Hundreds of values are compared before every search. So `operator.itemgetter` reads many names in one call.
    Functions and classes are equal only if they are identical, so whole tuples of them are compared in one step.
    """

    def __init__(self) -> None:
        self.by_name: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}
        """Maps the id of each namespace to a pair: the namespace, and the values of the names that were read from
        it."""
        self.absent: dict[int, tuple[Mapping[str, Any], list[str]]] = {}
        """Maps the id of each namespace to a pair: the namespace, and the names that were looked up there without
        success."""
        self.by_reader: dict[Callable[[Any], Any], tuple[list[Any], list[Any]]] = {}
        """Maps each function that reads watched values to a pair: the objects that it reads, and its results."""
        self.wholes: list[Comparison] = []
        """Values of the types in UNIQUE. They are compared by `==`."""
        self.comparisons: list[Comparison] = []
        """Values of all other types. They are compared by `is`: for example, 1 equals True, but the two need different
        compiled code."""

    def add_name(self, names: Mapping[str, Any], name: str) -> None:
        """Watch a name in a namespace. If the name has no value yet, a later value counts as a change."""
        if name in names:
            self.by_name.setdefault(id(names), (names, {}))[1][name] = names[name]
        else:
            self.absent.setdefault(id(names), (names, []))[1].append(name)

    def add(self, read: Callable[[Any], Any], at: Any, found: Any) -> None:
        """Watch the value that the function `read` returns for the object `at`. Its present value is `found`."""
        places, values = self.by_reader.setdefault(read, ([], []))
        places.append(at)
        values.append(found)

    def begin(self) -> None:
        """Prepare the comparisons of all watched values."""
        for names, values in self.by_name.values():
            for among, are_unique in ((self.wholes, True), (self.comparisons, False)):
                chosen = [name for name, value in values.items() if isinstance(value, UNIQUE) is are_unique]
                if chosen:
                    chosen.append(chosen[0])  # for a single name, an itemgetter does not return a tuple
                    among.append((operator.itemgetter(*chosen), names, tuple(values[name] for name in chosen)))
        for reader, (places, found_there) in self.by_reader.items():
            among = self.wholes if all(isinstance(each, UNIQUE) for each in found_there) else self.comparisons
            among.append((partial(map, reader), places, tuple(found_there)))

    def is_same(self) -> bool:
        """Whether all watched values are unchanged."""
        try:
            for names, absent in self.absent.values():
                if not names.keys().isdisjoint(absent):
                    return False
            for read, at, found in self.wholes:
                if tuple(read(at)) != found:
                    return False
            for read, at, found in self.comparisons:
                if not all(map(operator.is_, read(at), found)):
                    return False
        except (KeyError, ValueError):  # a name was deleted, or a value is now an array
            return False
        return True


CODE, DEFAULTS, NAMED_DEFAULTS = map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__"))
"""A program can change some attributes of a function. Each of these functions reads such attributes."""
MRO = operator.attrgetter("__mro__")
"""The class and its bases, in the order in which Python looks up attributes."""


# The digest. --------------------------------------------------------------------------------------
def digest_of(game: Game) -> str:
    """The digest of a game's class, code and constants, which is the same in every process."""
    digest = hashlib.sha256(f"{type(game).__module__}.{type(game).__qualname__}".encode())
    digest.update(code_of(type(game)).digest)
    constants = constants_of(game)
    for name, value in constants.items():
        digest.update(name.encode() + b"=" + content(value))
    for name, value in attributes_of(game).items():
        if name not in constants and name not in game.tunable:  # the attribute may hide a method
            digest.update(f"{name}: {type(value).__qualname__}".encode())
    return digest.hexdigest()[:16]


def content(value: Any) -> bytes:
    """The bytes that identify a constant. If the constant is an array, the array becomes read-only."""
    if isinstance(value, tuple):
        if type(value) is tuple and is_flat(value):
            return repr(value).encode()  # the text differs for numbers of different types
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


def parts_of(game: Game, code: "Code | None" = None) -> Iterator[tuple[tuple[Any, ...], Game]]:
    """Yield (path, game) for each game that a game contains. A path is the name of an attribute, followed by indices of
    tuples."""

    def inside(path: tuple[Any, ...], value: Any) -> Iterator[tuple[tuple[Any, ...], Game]]:
        if isinstance(value, Game):
            yield path, value
        elif isinstance(value, tuple):
            for place, item in enumerate(value):
                yield from inside((*path, place), item)

    found = {name: value for name, value in attributes_of(game).items() if is_part(value)}
    for name in (code or code_of(type(game))).parts:
        if is_part(value := read_attribute(game, name)):
            found[name] = value
    for name in sorted(found):
        yield from inside((name,), found[name])


# The code of a class. -----------------------------------------------------------------------------
class Code:
    """The graph of all code that a class or a function uses. The nodes of the graph are classes, functions and global
    games.

    Each node has its own digest, and has edges to the nodes that its code uses. The digest of a class or function
    includes all nodes that can be reached from its node.
    """

    is_attached = False
    """Whether the functions of the graph already have compiled twins."""

    def __init__(self, root: type | Callable[..., Any]) -> None:
        self.nodes: dict[int, Any] = {}
        self.own: dict[int, bytes] = {}
        self.leads_to: dict[int, set[int]] = {}
        self.hash, self.leads = hashlib.sha256(), set[int]()
        self.watch = self.watching = ReplacementDetector()
        classes = classes_of(root) if isinstance(root, type) else []
        for each in classes if isinstance(root, type) else [root]:
            self.add_node(each)
        self.parts = [name for each in classes for name, value in vars(each).items() if is_part(value)]
        """The names of the class attributes whose values are games or contain games."""
        self.watch.begin()
        self.digest = self.digest_from(self.leads)

    @property
    def functions(self) -> list[types.FunctionType]:
        """The nodes that are methods or helper functions. Kernels are left out, because they get their twins
        separately."""
        return [each for each in self.nodes.values() if isinstance(each, types.FunctionType) and not is_kernel(each)]

    @property
    def games(self) -> list[Game]:
        """The games that are values of the code's global variables."""
        return [node for node in self.nodes.values() if isinstance(node, Game)]

    def digest_from(self, start: set[int]) -> bytes:
        """The digest of the nodes in `start` and of all nodes that can be reached from them."""
        reached, waiting = set[int](), set(start)
        while waiting:
            reached |= waiting
            waiting = set[int]().union(*(self.leads_to[each] for each in waiting)) - reached
        return hashlib.sha256(b"".join(sorted(self.own[each] for each in reached))).digest()

    # Values that the code reads are watched. -----------------------------------------------------
    def note(self, *parts: object) -> None:
        """Add the texts of values to the digest of the current node."""
        for part in parts:
            self.hash.update(f"{type(part).__name__} {part!r}\0".encode())

    def look_up(self, names: Mapping[str, Any], name: str) -> Any:
        """Return the value of a name, watch it, and add the name to the digest."""
        self.note(name)
        self.watching.add_name(names, name)
        return names.get(name)

    def look(self, read: Callable[[Any], Any], at: Any) -> Any:
        """Return the value that `read` returns for an object, and watch this value."""
        found = read(at)
        self.watching.add(read, at, found)
        return found

    # Nodes. --------------------------------------------------------------------------------------
    def add_node(self, value: Any) -> None:
        """Add an edge from the current node to a class, function or game, and describe this node if it is new."""
        self.leads.add(id(value))
        if id(value) not in self.nodes:
            self.nodes[id(value)] = value
            outer, self.hash, self.leads = (self.hash, self.leads, self.watching), hashlib.sha256(), set()
            module = type(value).__module__ if isinstance(value, Game) else value.__module__
            # Foreign modules are not watched: their values go to a new detector, which is never asked.
            self.watching = ReplacementDetector() if is_foreign(module) else self.watch
            describe_code = self.describe_class if isinstance(value, type) else self.describe_function
            describe: Any = self.describe_game if isinstance(value, Game) else describe_code
            describe(value)
            self.own[id(value)], self.leads_to[id(value)] = self.hash.digest(), self.leads
            self.hash, self.leads, self.watching = outer

    def add(self, value: Any) -> None:
        """Add a value to the digest of the current node. A class, function or game also becomes a node."""
        value = getattr(value, "py_func", value)  # unwraps a function that Numba has already compiled
        value = getattr(value, "__func__", value)  # unwraps a static method or a class method
        if isinstance(value, property):
            value = value.fget
        if isinstance(value, types.FunctionType | type):
            self.note(value.__module__, value.__qualname__)
            if not is_foreign(value.__module__) or is_kernel(value):
                self.add_node(value)
            elif isinstance(value, enum.EnumType):
                members: Any = value
                self.note(*((each.name, each.value) for each in members))
            elif isinstance(value, type) and issubclass(value, tuple):
                self.note(getattr(value, "_fields", ()))
        elif isinstance(value, enum.Enum):
            self.note(value.name, value.value)
        elif isinstance(value, Game):
            self.add_node(value)
        elif isinstance(value, tuple | list) and (is_part(value) or not is_constant(value)):
            self.note(type(value).__qualname__, len(value))
            for item in value:
                self.add(item)
        elif is_constant(value):
            self.hash.update(content(value))
        elif isinstance(value, str | bytes | complex | None):
            self.note(value)
        else:  # Numba cannot use the value, or uses only its type
            self.note(type(value).__module__, type(value).__qualname__)

    def describe_class(self, cls: type) -> None:
        """Add the attributes of a class to its digest. Methods are added even if a foreign module defines them."""
        self.note(cls.__module__, cls.__qualname__, getattr(cls, "_fields", ()))
        own = vars(cls)
        self.look(MRO, cls)
        self.look(len, own)
        for name in sorted(name for name in own if not name.startswith("__")):
            value = self.look_up(own, name)
            if name == "name" and isinstance(value, str):
                continue  # a game's name may be any spelling of the path of its file; compiled code cannot read it
            if is_method(value):
                self.note(type(value).__name__)
                self.add_node(getattr(value, "__func__", value))
            else:
                self.add(value)

    def describe_function(self, function: types.FunctionType) -> None:
        """Describe a function in the digest: its code, its defaults, and the values of the names in the code."""
        self.note(function.__module__, function.__qualname__)
        codes = list(code_objects(self.look(CODE, function)))
        for code in codes:
            self.note(code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount, code.co_kwonlyargcount)
            self.note(code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
            literals = code.co_consts
            if code is function.__code__ and literals and literals[0] == function.__doc__:
                literals = literals[1:]  # the docstring is not part of the digest
            self.note(*(literal(each) for each in literals))
        if function.__defaults__ is not None:  # the function has default arguments
            for value in self.look(DEFAULTS, function):
                self.add(value)
        if function.__kwdefaults__ is not None:
            for value in self.look(NAMED_DEFAULTS, function).values():
                self.add(value)
        for cell in function.__closure__ or ():
            self.add(self.look(cell_contents, cell))
        self.add_names(function.__globals__, sorted({name for code in codes for name in code.co_names}), set())

    def describe_game(self, game: Game) -> None:
        """If a global variable contains a game, add the constants of this game to the digest. In compiled code, even
        the tunable numbers of such a game are constants."""
        for cls in classes_of(type(game)):
            self.add_node(cls)
        self.look(len, vars(game))
        for name in sorted(vars(game)):
            self.look_up(vars(game), name)
        for name, value in constants_of(game).items():
            self.note(name)
            self.add(value)
        for name in game.tunable:
            self.hash.update(content(getattr(game, name)))

    def add_names(self, names: Mapping[str, Any], used: list[str], looked_into: set[int]) -> None:
        """Add the values of the names in `used` to the digest. If such a value is a module, also add the values that
        the code uses from this module."""
        for name in used:
            if name in names:
                value = self.look_up(names, name)
                if not isinstance(value, types.ModuleType):
                    self.add(value)
                elif value.__name__.partition(".")[0] not in FOREIGN and id(value) not in looked_into:
                    self.add_names(vars(value), used, looked_into | {id(value)})
            elif hasattr(builtins, name):
                self.watching.add_name(names, name)  # a builtin, which a later global of the same name would hide


def cell_contents(cell: types.CellType) -> Any:
    """The value of a variable of the enclosing function; None if the variable has no value yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


_codes: dict[type | Callable[..., Any], Code] = {}


def code_of(root: type | Callable[..., Any]) -> Code:
    """The code graph of a class or a function. The graph is built again if anything in it has changed."""
    known = _codes.get(root)
    if known is None or not known.watch.is_same():
        known = _codes[root] = Code(root)
    return known


@functools.cache
def is_foreign(module: str | None) -> bool:
    """Whether a module contains no rules, because it belongs to another package or to a part of gamesearch other than
    `games`. Compiled code can call a function of such a module only if the function is a kernel or has a compiled form.
    """
    first, _, rest = (module or "").partition(".")
    return first in FOREIGN or (first == "gamesearch" and not rest.startswith("games."))


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object, and the code objects of the functions inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from code_objects(each)


def literal(value: Any) -> Any:
    """Convert a literal of a code object to a form that is the same in every process."""
    if isinstance(value, frozenset):
        return sorted(map(repr, value))
    return value.co_qualname if isinstance(value, types.CodeType) else value
