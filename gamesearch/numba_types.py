"""How Numba sees a Game, and where its compiled code is kept.

A game is an opaque value whose *type* carries the class, the parameters and a digest of the source
of its rules. So `game.moves(s)` inside a kernel compiles the class's own method, `self.rows` is a
constant, and the cache on disk works across processes and notices edits.

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

import ast
import hashlib
import inspect
import sys
import textwrap
import time
import types as python_types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import numpy as np
import platformdirs
from numba import njit, typeof, types
from numba.core import cgutils, config, event
from numba.core.caching import FunctionCache, NullCache
from numba.core.datamodel.models import OpaqueModel
from numba.core.imputils import lower_constant
from numba.core.typing.templates import (
    _OverloadAttributeTemplate,
    _OverloadMethodTemplate,
    infer_getattr,
    make_overload_attribute_template,
)
from numba.extending import (
    NativeValue,
    intrinsic,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from gamesearch import bits, compiler
from gamesearch.errors import NotCompilable
from gamesearch.game import Game
from gamesearch.numba_wide import (
    WIDTHS,
    WORD,
    WideType,
    as_wide_constant,
    count_bits,
    count_trailing_zeros,
    with_word,
    word_of,
)

ASKED_BY_KERNELS = (
    "player", "moves", "result", "outcomes", "terminal", "utility", "features", "evaluate", "bounds", "order", "key",
    "level", "states_of_level", "arrangement", "progress", "consistent",
)  # fmt: skip


# Kernels and their dispatchers. ------------------------------------------------------------------
def attach_dispatcher(function: Callable[..., Any]) -> None:
    """Let Numba take `function`, where it meets the name, for its compiled twin."""
    if hasattr(function, "_numba_type_"):
        return
    attributes: Any = function
    attributes._compiled_twin_ = njit(nogil=True)(function)  # the type only holds a weak reference
    attributes._numba_type_ = types.Dispatcher(attributes._compiled_twin_)


def dispatcher(function: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled twin that `attach_dispatcher` made, for calls from Python: kept on disk."""
    attributes: Any = function
    twin = attributes._compiled_twin_
    if isinstance(twin._cache, NullCache):
        twin._cache = CacheOnDisk(twin.py_func)
    return cast(Callable[..., Any], twin)


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
        games = [_games[each.key] for each in types_of if isinstance(each, GameType)]
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
            is_kept = not any(_is_recursive(_games[game.key]) for game in games)
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


def _is_recursive(game: Game[Any]) -> bool:
    """Whether some function that kernels need seems to call itself, maybe by way of others."""
    called: dict[str, set[str]] = {}
    for function in _functions(game):
        called.setdefault(function.__name__, set()).update(_called_by(function))

    def leads_back(name: str, path: tuple[str, ...]) -> bool:
        return name in path or any(leads_back(each, (*path, name)) for each in called[name] if each in called)

    return any(leads_back(name, ()) for name in ASKED_BY_KERNELS if name in called)


def _called_by(function: python_types.FunctionType) -> set[str]:
    """The names of the functions and of the game's own methods that a function uses."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return set(function.__code__.co_names)
    own = function.__code__.co_varnames[:1]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names.difference(function.__code__.co_varnames) | {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in own
    }


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
            cast(Any, twin).compile(tuple(typeof(each) for each in arguments))
        except Exception as error:  # Numba's complaints have many types
            raise NotCompilable(_sentence(error)) from error
        _prepared.add((twin, kinds))


def _sentence(error: Exception) -> str:
    """The most telling line of one of Numba's long messages."""
    if "YIELD_FROM" in str(error):
        return "Numba does not know 'yield from'; a for loop with yield does the same"
    lines = [line.strip() for line in str(error).splitlines()]
    location = next((line for line in reversed(lines) if line.startswith("File ")), "")
    skipped = ("Failed in", "During:", "File ", "- ", "There are", "<source", "Overload", "No implementation")
    said = [line for line in lines if line and not line.startswith(skipped) and len(line) > 10]
    cause = next((line for line in said if "Unknown" in line or "nsupported" in line), said[0] if said else "?")
    place = location.replace('"', "").removeprefix("File ").rstrip(":")
    return f"Numba says: {cause.rstrip('.')}" + (f" ({place})" if place else "")


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


# The type of a game. -----------------------------------------------------------------------------
class GameType(types.Type):
    """Numba's type of one game with its parameters. In an importable module, or nothing is cached."""

    def __init__(self, name: str, digest: str) -> None:
        self.game_name = name
        self.digest = digest
        super().__init__(name=f"{name}#{digest}")

    @property
    def key(self) -> tuple[str, str]:
        return self.game_name, self.digest


register_model(GameType)(OpaqueModel)

_games: dict[tuple[str, str], Game[Any]] = {}
_bound_methods: set[str] = set()
_bound_constants: set[str] = set()


@unbox(GameType)
def _unbox_game(typ: Any, obj: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@lower_constant(GameType)
def _constant_game(context: Any, builder: Any, typ: Any, value: Any) -> Any:
    return context.get_dummy_value()


@typeof_impl.register(Game)
def _typeof_game(game: Game[Any], c: Any) -> GameType:
    known: GameType | None = game.__dict__.get("_game_type_")
    if known is None:
        known = GameType(type(game).__qualname__, _digest(game))
        _games[known.key] = game
        _bind(game)
        game.__dict__["_game_type_"] = known
    return known


def _constants(game: Game[Any]) -> dict[str, Any]:
    """What compiled code may read of a game: numbers, tuples, arrays and other games."""
    names = {name for cls in type(game).__mro__ for name in vars(cls) if not name.startswith("_")}
    values = {name: getattr(game, name) for name in names | set(vars(game)) if not name.startswith("_")}
    return {name: value for name, value in sorted(values.items()) if _is_constant(value)}


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(_is_constant(item) for item in value)
    return isinstance(value, bool | int | float | np.number | np.ndarray | Game)


def _digest(game: Game[Any]) -> str:
    """A digest of the source of the rules and of all parameters."""
    digest = hashlib.sha256(repr(type(game)).encode())
    for cls in type(game).__mro__:
        module = sys.modules.get(cls.__module__)
        if issubclass(cls, Game) and module is not None:
            with suppress(OSError, TypeError):
                digest.update(inspect.getsource(module).encode())
    for name, value in _constants(game).items():
        if isinstance(value, np.ndarray):
            content = str((value.dtype, value.shape)).encode() + value.tobytes()
        else:
            content = (_digest(value) if isinstance(value, Game) else repr(value)).encode()
        digest.update(name.encode() + b"=" + content)
    return digest.hexdigest()[:16]


def _functions(game: Game[Any]) -> list[python_types.FunctionType]:
    """The methods of a game, and the helper functions in the files of its classes."""
    found: dict[int, python_types.FunctionType] = {}
    for cls in type(game).__mro__:
        if issubclass(cls, Game):
            helpers = vars(sys.modules[cls.__module__]).values() if cls.__module__ in sys.modules else ()
            for value in (*vars(cls).values(), *helpers):
                if isinstance(value, python_types.FunctionType) and value.__module__ == cls.__module__:
                    found[id(value)] = value
    return list(found.values())


def _bind(game: Game[Any]) -> None:
    """Make the game's methods, constants and helper functions known to Numba."""
    for function in _functions(game):
        attach_dispatcher(function)
    for name in dir(type(game)):
        is_method = isinstance(inspect.getattr_static(type(game), name), python_types.FunctionType)
        if is_method and not name.startswith("__") and name not in _bound_methods:
            _bound_methods.add(name)
            _bind_method(name)
    for name in _constants(game):
        if name not in _bound_constants:
            _bound_constants.add(name)
            _bind_constant(name)


class _ConstantTemplate(_OverloadAttributeTemplate):
    """Answers for a name only where it is a constant of the game: in another it may be a method."""

    def _resolve(self, typ, attr):
        return super()._resolve(typ, attr) if attr == self._attr and _is_constant_of(typ, attr) else None


class _MethodTemplate(_OverloadMethodTemplate):
    """Answers for a name only where it is a method of the game."""

    def _resolve(self, typ, attr):
        return super()._resolve(typ, attr) if attr == self._attr and _is_method_of(typ, attr) else None


def _is_constant_of(typ: GameType, name: str) -> bool:
    value = getattr(_games[typ.key], name, None)
    return value is not None and _is_constant(value)


def _is_method_of(typ: GameType, name: str) -> bool:
    game = _games[typ.key]
    return name not in vars(game) and isinstance(getattr(type(game), name, None), python_types.FunctionType)


def _bind_method(name: str) -> None:
    """Let compiled code call method `name` of the games that have one."""

    def method(self, *arguments):
        function = getattr(type(_games[self.key]), name)
        return lambda self, *arguments: function(self, *arguments)

    _register(name, method, "never", _MethodTemplate)


def _bind_constant(name: str) -> None:
    """Let compiled code read attribute `name` of the games in which it is a constant."""

    def constant(self):
        value = getattr(_games[self.key], name)
        value = as_wide_constant(value.item() if isinstance(value, np.number) else value)
        return lambda self: value

    _register(name, constant, "always", _ConstantTemplate)


def _register(name: str, function: Callable[..., Any], inline: str, template: type) -> None:
    """What Numba's `overload_method` and `overload_attribute` do, with a template of ours."""
    infer_getattr(make_overload_attribute_template(GameType, name, function, inline=inline, base=template))
    overload(function, inline=inline)(function)


# The compiled forms of the helpers in gamesearch.bits. -------------------------------------------
@intrinsic
def _count_bits(context, x):
    def code(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


@intrinsic
def _count_trailing_zeros(context, x):
    def code(context, builder, signature, arguments):
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), code


@overload(bits.popcount, inline="always")
def _popcount(x):
    return (lambda x: count_bits(x)) if isinstance(x, WideType) else (lambda x: _count_bits(np.int64(x)))


@overload(bits.low_bit_index, inline="always")
def _low_bit_index(x):
    if isinstance(x, WideType):
        return lambda x: count_trailing_zeros(x)
    return lambda x: _count_trailing_zeros(np.int64(x))


@overload(bits.replaced)
def _replaced(items, index, value):
    from numba.cpython.unsafe.tuple import tuple_setitem

    def replaced(items, index, value):
        return tuple_setitem(items, index, value)

    return replaced


@njit(inline="always")
def _scramble(x):
    x = np.uint64(x) * np.uint64(bits.HASH_MULTIPLIER)
    return x ^ (x >> np.uint64(32))


def _mix_unsigned(key):
    """Only for its overload below."""


@overload(_mix_unsigned)
def _mix_unsigned_of(key):
    if isinstance(key, types.Integer | types.Boolean):
        return lambda key: _scramble(np.uint64(key))
    if isinstance(key, WideType):
        return _mix_wide(key.width // WORD)
    if not isinstance(key, types.BaseTuple):
        return None
    lines = ["def mix_items(key):", f"    h = np.uint64({len(key)})"]
    lines += [f"    h = _scramble(h + _mix_unsigned(key[{i}]))" for i in range(len(key))]
    scope: dict[str, Any] = {"np": np, "_scramble": _scramble, "_mix_unsigned": _mix_unsigned}
    exec("\n".join([*lines, "    return h"]), scope)
    return scope["mix_items"]


def _mix_wide(words: int) -> Any:
    """Of a wide key: of the words from the highest that tells something, as for Python's integers."""

    def mix_words(key):
        last = words - 1
        while last > 0:
            high = word_of(key, last)
            fits = high == 0 or (high == -1 and word_of(key, last - 1) < 0)
            if not fits:
                break
            last -= 1
        h = _scramble(np.uint64(word_of(key, last)))
        for index in range(last - 1, -1, -1):
            h = _scramble(np.uint64(2) + h)
            h = _scramble(h + _scramble(np.uint64(word_of(key, index))))
        return h

    return mix_words


@overload(bits.mix)
def _mix(key):
    return lambda key: np.int64(_mix_unsigned(key))


def _leaves(typ: Any, text: str) -> list[tuple[str, Any]]:
    """The source text and type of each number of up to 64 bits in a value of nested tuples."""
    if isinstance(typ, WideType):
        return [(f"word_of({text}, {index})", types.int64) for index in range(typ.width // WORD)]
    if not isinstance(typ, types.BaseTuple):
        return [(text, typ)]
    return [leaf for i, item in enumerate(typ) for leaf in _leaves(item, f"{text}[{i}]")]


def row_length(state: Any) -> int:
    """How many integers of 64 bits hold a state."""
    return len(_leaves(typeof(state), ""))


@overload(bits.save_state)
def _save_state(rows, number, state):
    if not all(isinstance(typ, types.Integer | types.Boolean) for _, typ in _leaves(state, "")):
        return None
    lines = ["def save(rows, number, state):"]
    lines += [f"    rows[number, {i}] = np.int64({text})" for i, (text, _) in enumerate(_leaves(state, "state"))]
    scope: dict[str, Any] = {"np": np, "word_of": word_of}
    exec("\n".join(lines), scope)
    return scope["save"]


@overload(bits.load_state)
def _load_state(rows, number, like):
    scope: dict[str, Any] = {"np": np, "with_word": with_word}
    numbers = iter(range(len(_leaves(like, ""))))

    def source(typ: Any) -> str:
        if isinstance(typ, WideType):
            scope[str(typ)] = next(kind for kind, width in WIDTHS.items() if width == typ.width)
            words = [f"rows[number, {next(numbers)}]" for _ in range(typ.width // WORD)]
            text = f"{typ}({words.pop()})"
            while words:
                text = f"with_word({text}, {words.pop()})"
            return text
        if not isinstance(typ, types.BaseTuple):
            name = f"as_{typ}"
            scope[name] = bool if isinstance(typ, types.Boolean) else getattr(np, str(typ))
            return f"{name}(rows[number, {next(numbers)}])"
        items = ", ".join(source(item) for item in typ)
        if isinstance(typ, types.BaseNamedTuple):
            scope[typ.instance_class.__name__] = typ.instance_class
            return f"{typ.instance_class.__name__}({items})"
        return f"({items},)"

    exec(f"def load(rows, number, like):\n    return {source(like)}", scope)
    return scope["load"]
