"""Functions that use private names of Numba and llvmlite, one function for each use, and helpers to define intrinsics.

The only other module that uses private names of Numba or llvmlite is `gamesearch.compiler.passes`, which derives
classes from their classes. `tests/compiler/test_numba_internals.py` lists the names and checks that they exist.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from llvmlite.binding import ffi, parse_assembly
from numba import njit, types
from numba._dynfunc import make_function
from numba.core import cgutils
from numba.core.caching import NullCache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import (
    AbstractTemplate,
    _OverloadMethodTemplate,
    infer_getattr,
    infer_global,
    make_overload_attribute_template,
    signature,
)
from numba.extending import overload

__all__ = [
    "call",
    "declare",
    "from_disk",
    "functions_at_reload",
    "inline_always",
    "instructions_for",
    "is_cached",
    "linker_name",
    "llvm_without_timers",
    "new_twin",
    "optimize_a_little",
    "overload_method",
    "replace_definition",
    "set_environments",
    "to_disk",
    "twin_without_code",
    "unresolved_names",
    "use_cache",
]


# Intrinsics are functions and operators for which this package emits LLVM instructions itself. Otherwise, Numba would
# compile their Python source at every call, which would take most of the compile time. -------------
def declare(function: Any, typed: Callable[[tuple[Any, ...]], Any]) -> None:
    """Register a function with Numba. `typed` returns the function's signature for the types of the arguments, or None
    if the types are wrong."""

    @infer_global(function)
    class _Call(AbstractTemplate):
        def generic(self, args, kws):
            return None if kws else typed(args)


def instructions_for(function: Any, result: Any, *accepted: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator, like Numba's `lower_builtin`, for a function that emits the instructions of another function.

    `result` is the type of the result. `accepted` has the type of each argument: a type, a class of types, or classes
    joined by `|`. A list with one item means a one-dimensional array with elements of that type.
    """

    def typed(args: tuple[Any, ...]) -> Any:
        fits = len(args) == len(accepted) and all(map(_is_of, args, accepted))
        return signature(result, *args) if fits else None

    declare(function, typed)
    return lower_builtin(function, types.VarArg(types.Any))  # type: ignore[no-any-return]


def call(builder: Any, name: str, result: Any, arguments: Sequence[Any]) -> Any:
    """Emit a call of a function of C or LLVM by its name. The arguments must have the types that the function
    expects."""
    shape = ir.FunctionType(result, [each.type for each in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, shape, name), arguments)


def _is_of(kind: Any, accepted: Any) -> bool:
    """Whether a type is accepted, as defined by the parameter `accepted` of `instructions_for`."""
    if isinstance(accepted, list):
        return isinstance(kind, types.Array) and kind.ndim == 1 and _is_of(kind.dtype, accepted[0])
    return kind == accepted if isinstance(accepted, types.Type) else isinstance(kind, accepted)


# Dispatchers. --------------------------------------------------------------------------------------
def new_twin(function: Any, **options: Any) -> Any:
    """Make the compiled twin of a function. After that, Numba uses the twin wherever compiled code calls the function.

    Numba finds the twin by the function's attribute `_numba_type_`, which is only a weak reference.
    """
    twin = njit(**options)(function)
    function._numba_type_ = types.Dispatcher(twin)
    return twin


def is_cached(twin: Any) -> bool:
    """Whether `use_cache` has been called for a compiled twin."""
    return not isinstance(twin._cache, NullCache)


def use_cache(twin: Any, cache: Any) -> None:
    """Make a compiled twin callable from Python, with a cache that loads and saves its versions."""
    twin.targetoptions["no_cpython_wrapper"] = False
    twin._reset_overloads()  # drops the versions that Python cannot call
    twin._cache = cache


def overload_method(kind: Any, name: str, method: Callable[..., Any], has_method: Callable[[Any], bool]) -> None:
    """Like Numba's `overload_method`, but only for types for which `has_method` returns True.

    The condition is needed because the same name may be a constant in other games.
    """

    class Template(_OverloadMethodTemplate):
        def _resolve(self, typ: Any, attr: str) -> Any:
            return super()._resolve(typ, attr) if attr == self._attr and has_method(typ) else None

    infer_getattr(make_overload_attribute_template(kind, name, method, inline="never", base=Template))
    overload(method, inline="never")(method)


# Compilation. --------------------------------------------------------------------------------------
def replace_definition(code: Any, assignment: Any, value: Any) -> None:
    """Replace the value of an assignment in Numba's intermediate representation, and in its list of definitions."""
    definitions = code._definitions[assignment.target.name]
    definitions[definitions.index(assignment.value)] = value
    assignment.value = value


@contextmanager
def llvm_without_timers() -> Iterator[None]:
    """A context in which Numba does not measure, at each of some 20,000 calls, how long LLVM is locked."""
    callbacks = ffi.lib._lock._cblist
    timers = list(callbacks)
    callbacks.clear()
    try:
        yield
    finally:
        callbacks.extend(timers)


def twin_without_code(description: Any, environment: Any, library: Any) -> Any:
    """The object with which Numba registers a compiled function that Python does not call."""
    return make_function(description.lookup_module(), description.qualname, "", 0, environment, (library,))


def functions_at_reload(library: Any) -> Any:
    """The functions that must be called when cached code is loaded; empty for old versions of Numba."""
    return getattr(library, "_reload_init", ())


def inline_always(function: Any) -> None:
    """Let LLVM inline a function at every call, if this version of llvmlite supports that."""
    if _sets_function_attributes():
        function.add_function_attribute("alwaysinline")


@functools.cache
def _sets_function_attributes() -> bool:
    """Whether this version of llvmlite sets attributes of functions. Older versions set attributes of the result
    instead."""
    module = parse_assembly("define i32 @f() {\n  ret i32 0\n}")
    module.get_function("f").add_function_attribute("alwaysinline")
    try:
        module.verify()
    except RuntimeError:
        return False
    return True


def optimize_a_little(codegen: Any, module: Any) -> None:
    """Run the passes of optimization level 1 on a module of LLVM, without vectorization."""
    made = codegen._module_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
    if isinstance(made, tuple):
        manager, builder = made
        manager.run(module, builder)
    else:  # the old pass manager of Numba 0.60
        made.run(module)


def linker_name(symbol: str) -> str:
    """The name of a function without the prefix that marks a call by address."""
    return str(symbol.removeprefix(RuntimeLinker.PREFIX))


def unresolved_names(codegen: Any) -> list[str]:
    """The names of functions that are called by address and that LLVM's engine has not found yet."""
    return list(codegen._rtlinker._unresolved)


def set_environments(code: CompileResult) -> None:
    """Set the environments of all functions that are linked into a kernel. For code from its cache, Numba sets these
    environments itself."""
    for each in code._find_referenced_environments():
        code.library.codegen.set_env(each.env_name, each)


def to_disk(code: CompileResult) -> tuple[Any, ...]:
    """Convert compiled code to a tuple that can be pickled. The fourth item is the signature."""
    return tuple(code._reduce())


def from_disk(context: Any, parts: tuple[Any, ...]) -> CompileResult:
    """Restore compiled code from the tuple that `to_disk` returned."""
    return CompileResult._rebuild(context, *parts)
