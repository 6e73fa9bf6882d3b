"""All code that uses private names of Numba and llvmlite. It consists of helpers that define intrinsics, dispatchers,
and two passes.

The passes save time. Numba's type inference repeats all statements until no type changes, and starts again for each
recursive call. Each repetition tries all rules again to determine the types of all calls and attributes. The types of a
call depend only on the function and the types of its arguments, so they are stored while a kernel is compiled.

Numba generates machine code for each function, and generates it again inside every caller of the function. If only
compiled code calls a function, separate machine code is not needed, because the function's LLVM code is linked into the
callers.
"""

import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from llvmlite.binding import ffi, parse_assembly
from numba import njit, types
from numba._dynfunc import make_function
from numba.core import cgutils
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import lower_builtin
from numba.core.typed_passes import NativeLowering, NopythonTypeInference
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
    "InferTypes", "LowerForLinking", "call", "complete", "declare", "from_disk", "instructions_for",
    "llvm_without_timers", "new_twin", "overload_method", "replace_definition", "resolved", "to_disk", "use_cache",
    "value_of",
]  # fmt: skip


# Intrinsics are functions and operators for which this package emits LLVM instructions itself. If Numba compiled their
# Python source instead, it would do so at every call, and would spend most of the compile time on it. ----------
def declare(function: Any, infer_type: Callable[[tuple[Any, ...]], Any]) -> None:
    """Register a function. `infer_type` returns the signature for types of arguments; None if the types are wrong."""

    @infer_global(function)
    class _Call(AbstractTemplate):
        def generic(self, args, kws):
            return None if kws else infer_type(args)


def instructions_for(function: Any, result: Any, *accepted: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator, like Numba's `lower_builtin`. The decorated function emits the instructions of `function`.

    `result` is the type of the result. `accepted` has the type of each argument: a type, a class of types, or classes
    joined by `|`. A list with one type stands for a one-dimensional array whose elements have this type.
    """

    def infer_type(args: tuple[Any, ...]) -> Any:
        fits = len(args) == len(accepted) and all(map(_is_of, args, accepted))
        return signature(result, *args) if fits else None

    declare(function, infer_type)
    return lower_builtin(function, types.VarArg(types.Any))  # type: ignore[no-any-return]


def call(builder: Any, name: str, result: Any, arguments: Sequence[Any]) -> Any:
    """Emit a call of the C or LLVM function with this name. The arguments must have the expected types."""
    shape = ir.FunctionType(result, [each.type for each in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, shape, name), arguments)


def value_of(structure: Any) -> Any:
    """The LLVM value of a structure, such as an array, after its fields were set."""
    return structure._getvalue()


def _is_of(kind: Any, accepted: Any) -> bool:
    """Whether a type is accepted, as defined by the parameter `accepted` of `instructions_for`."""
    if isinstance(accepted, list):
        return isinstance(kind, types.Array) and kind.ndim == 1 and _is_of(kind.dtype, accepted[0])
    return kind == accepted if isinstance(accepted, types.Type) else isinstance(kind, accepted)


# Dispatchers. --------------------------------------------------------------------------------------
def new_twin(function: Any, **options: Any) -> Any:
    """Make the twin of a function: its compiled form. After that, compiled code that calls the function runs the twin.
    Numba finds the twin by the function's attribute `_numba_type_`, which is only a weak reference."""
    twin = njit(**options)(function)
    function._numba_type_ = types.Dispatcher(twin)
    return twin


def use_cache(twin: Any, cache: Any) -> None:
    """Make a compiled twin callable from Python. The cache loads and saves the versions of the twin."""
    if not isinstance(twin._cache, NullCache):
        return
    twin.targetoptions["no_cpython_wrapper"] = False
    twin._reset_overloads()  # drops the versions that Python cannot call
    twin._cache = cache


def overload_method(kind: Any, name: str, method: Callable[..., Any], has_method: Callable[[Any], bool]) -> None:
    """Do the same as Numba's `overload_method`, but only for types for which `has_method` returns True. In other types
    of games, `name` may be the name of a constant."""

    class Template(_OverloadMethodTemplate):
        def _resolve(self, typ: Any, attr: str) -> Any:
            return super()._resolve(typ, attr) if attr == self._attr and has_method(typ) else None

    infer_getattr(make_overload_attribute_template(kind, name, method, inline="never", base=Template))
    overload(method, inline="never")(method)


# Compilation. --------------------------------------------------------------------------------------
def replace_definition(code: Any, assignment: Any, value: Any) -> None:
    """Replace the value of an assignment, both in Numba's intermediate representation and in the list of
    definitions."""
    definitions = code._definitions[assignment.target.name]
    definitions[definitions.index(assignment.value)] = value
    assignment.value = value


@contextmanager
def llvm_without_timers() -> Iterator[None]:
    """A context in which Numba's timers are off. They would run about 20,000 times to measure how long LLVM is
    locked."""
    callbacks = ffi.lib._lock._cblist
    timers = list(callbacks)
    callbacks.clear()
    try:
        yield
    finally:
        callbacks.extend(timers)


@functools.cache
def _sets_function_attributes() -> bool:
    """Whether this version of llvmlite adds an attribute to the function itself instead of its result."""
    module = parse_assembly("define i32 @f() {\n  ret i32 0\n}")
    module.get_function("f").add_function_attribute("alwaysinline")
    try:
        module.verify()
    except RuntimeError:
        return False
    return True


def optimize_a_little(codegen: Any, module: Any) -> None:
    """Optimize an LLVM module with the passes of level 1, but without vectorization."""
    made = codegen._module_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
    if isinstance(made, tuple):
        manager, builder = made
        manager.run(module, builder)
    else:  # the old pass manager of Numba 0.60
        made.run(module)


# Passes. -----------------------------------------------------------------------------------------
resolved: dict[Any, Any] = {}
"""The types that Numba has determined in the current compilation. Only one thread compiles at a time."""


class RememberingContext:
    """Numba's typing context, which also remembers the signature of each call and the type of each attribute."""

    def __init__(self, context: Any) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature of a call. Failures are not remembered, because more types may be known at the next attempt."""
        key = (function, tuple(args), tuple(sorted(kws.items())))
        return self._look_up(key, self.context.resolve_function_type, function, args, kws)

    def resolve_getattr(self, kind: Any, name: str) -> Any:
        """The type of an attribute; None if the attribute does not exist."""
        return self._look_up((kind, name), self.context.resolve_getattr, kind, name)

    def _look_up(self, key: Any, resolve: Any, *question: Any) -> Any:
        """The remembered result for a key, or the result of `resolve` if no result is remembered."""
        found = resolved.get(key)
        if found is None:
            found = resolve(*question)
            if found is not None:
                resolved[key] = found
        return found


@register_pass(mutates_CFG=True, analysis_only=False)
class InferTypes(NopythonTypeInference):
    """Numba's pass of type inference, with a RememberingContext."""

    _name = "infer_types"

    def run_pass(self, state: Any) -> bool:
        """Infer the types in one function."""
        context = state.typingctx
        state.typingctx = RememberingContext(context)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = context


RESUMES = "4nextE"
"""The mangled name of each function that resumes a generator contains this text."""


class LinkedLibrary(JITCodeLibrary):
    """The code of a function that is linked into its callers. Python never calls this function."""

    def _optimize_final_module(self) -> None:
        """Run only a few optimization passes, because this code is optimized again as a part of its callers.

        A function that resumes a generator is always inlined into the loop that calls it. Without inlining, each step
        of the loop would load and store all variables of the generator.
        """
        for function in self._final_module.functions:
            if RESUMES in function.name and not function.is_declaration and _sets_function_attributes():
                function.add_function_attribute("alwaysinline")
        optimize_a_little(self._codegen, self._final_module)

    def _finalize_final_module(self) -> None:
        """Check the module, but do not add it to LLVM's engine, which would generate machine code."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def make_machine_code(self) -> None:
        """Add the module to LLVM's engine, which generates machine code for it."""
        self._ensure_finalized()
        super()._finalize_final_module()


class CalledLibrary(JITCodeLibrary):
    """The code of a function that Python calls. The code includes copies of all functions that this function calls."""

    def _optimize_final_module(self) -> None:
        """Make the copies of the called functions private, and optimize the code.

        LLVM removes unused private functions, and inlines a private function that has a single caller. So the caller
        does not have to pass a dozen words. LLVM may change the arguments of a private function. So other modules and
        Numba must not find this function by its old name. Two kinds of functions do not become private. Functions that
        call each other in a cycle must keep their addresses, and functions that count references must keep their names.
        """
        by_address = {each.name.removeprefix(RuntimeLinker.PREFIX) for each in self._final_module.global_variables}
        for function in self._final_module.functions:
            is_copy = function.linkage.name == "linkonce_odr" and not function.name.startswith("NRT_")
            if is_copy and function.name not in by_address:
                function.linkage = "private"
                function.name = f"{function.name}.copy"
        super()._optimize_final_module()


_linked: weakref.WeakValueDictionary[str, LinkedLibrary] = weakref.WeakValueDictionary()
"""Maps the name of each function in LLVM to the library that defines the function."""


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerForLinking(NativeLowering):
    """Numba's pass that translates functions to LLVM's code. It makes no machine code for functions that Python does
    not call."""

    _name = "lower_for_linking"

    def run_pass(self, state: Any) -> bool:
        """Translate one function to LLVM's code."""
        if not state.flags.no_cpython_wrapper:
            state.library = new_library(CalledLibrary, state)
            return bool(super().run_pass(state))
        state.library = new_library(LinkedLibrary, state)
        state.flags.no_compile = True
        super().run_pass(state)
        description = state.cr.fndesc
        module, name = description.lookup_module(), description.qualname
        uncallable: Any = make_function(module, name, "", 0, state.cr.env, (state.library,))
        state.targetctx.insert_user_function(uncallable, description, [state.library])
        _linked[description.llvm_func_name] = state.library
        state.reload_init.extend(getattr(state.library, "_reload_init", ()))  # old versions of Numba have none
        state.cr = state.cr._replace(cfunc=uncallable)
        return True


def new_library(kind: type[JITCodeLibrary], state: Any) -> JITCodeLibrary:
    """Make an empty library for the function that is being compiled."""
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


def complete(code: CompileResult) -> None:
    """Complete a kernel. Add the environments of the functions that are linked into the kernel, and make their machine
    code if it is missing.

    Numba sets environments in the same way for code from its cache. If functions call each other in a cycle, one of
    them is called through an address that LLVM's engine must look up. The machine code of this function is missing.
    """
    codegen, made = code.library.codegen, set[str]()
    while lacking := [name for name in codegen._rtlinker._unresolved if name in _linked and name not in made]:
        made.add(lacking[0])
        _linked[lacking[0]].make_machine_code()  # may need further functions, or define missing functions
    for each in code._find_referenced_environments():
        codegen.set_env(each.env_name, each)


# The cache. --------------------------------------------------------------------------------------
def to_disk(code: CompileResult) -> tuple[Any, ...]:
    """Convert compiled code to a tuple that can be pickled. The fourth item is the signature."""
    return tuple(code._reduce())


def from_disk(context: Any, parts: tuple[Any, ...]) -> CompileResult:
    """Restore compiled code from the tuple that `to_disk` returned."""
    return CompileResult._rebuild(context, *parts)
