"""Replacements for two passes of Numba: one remembers types, one makes no machine code that Python does not call.

Type inference goes over all statements until nothing changes, and for each recursive call once more from the beginning.
Each time, Numba resolves every call and every attribute again, by trying every rule for a function. The answer is the
same for the same types, so it is remembered while a kernel is compiled.

Numba makes machine code of each function by itself, and again in every function that calls it. For a function that only
compiled code calls, LLVM's intermediate code is enough: it is linked into its callers.
"""

import weakref
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering, NopythonTypeInference

from gamesearch.compiler.numba_internals import (
    functions_at_reload,
    inline_always,
    linker_name,
    optimize_a_little,
    set_environments,
    twin_without_code,
    unresolved_names,
)

__all__ = ["InferTypes", "LowerForLinking", "complete", "resolved"]

resolved: dict[Any, Any] = {}
"""The types resolved since the compilation of a kernel began; one thread compiles at a time."""


class RememberingContext:
    """Numba's typing context, which knows the signature of each call and the type of each attribute seen before."""

    def __init__(self, context: Any) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature of a call. A failure raises, and is tried again later, because more types may be known then."""
        key = (function, tuple(args), tuple(sorted(kws.items())))
        return self._look_up(key, self.context.resolve_function_type, function, args, kws)

    def resolve_getattr(self, kind: Any, name: str) -> Any:
        """The type of an attribute; None if there is none."""
        return self._look_up((kind, name), self.context.resolve_getattr, kind, name)

    def _look_up(self, key: Any, resolve: Any, *question: Any) -> Any:
        """The answer to a question, from before if there is one."""
        found = resolved.get(key)
        if found is None:
            found = resolve(*question)
            if found is not None:
                resolved[key] = found
        return found


@register_pass(mutates_CFG=True, analysis_only=False)
class InferTypes(NopythonTypeInference):
    """Numba's pass that finds all types, by a context that remembers."""

    _name = "infer_types"

    def run_pass(self, state: Any) -> bool:
        """Find the types of one function."""
        context = state.typingctx
        state.typingctx = RememberingContext(context)
        try:
            return bool(super().run_pass(state))
        finally:
            state.typingctx = context


RESUMES = "4nextE"
"""Part of the names of functions that resume a generator, as Numba mangles them."""


class LinkedLibrary(JITCodeLibrary):
    """The code of a function that is linked into its callers, and not called by itself."""

    def _optimize_final_module(self) -> None:
        """Run a few optimization passes: the callers, which this code becomes a part of, are optimized fully.

        The function that resumes a generator is always inlined into the loop that calls it. Otherwise all variables of
        the generator go through memory at each step.
        """
        for function in self._final_module.functions:
            if RESUMES in function.name and not function.is_declaration:
                inline_always(function)
        optimize_a_little(self._codegen, self._final_module)

    def _finalize_final_module(self) -> None:
        """Check the module, and keep it from the engine, which would make machine code of it."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def make_machine_code(self) -> None:
        """Give the module to the engine after all."""
        self._ensure_finalized()
        super()._finalize_final_module()


class CalledLibrary(JITCodeLibrary):
    """The code of a function that Python calls, with its own copies of all that it calls."""

    def _optimize_final_module(self) -> None:
        """Make the copies of called functions private, then optimize.

        Then LLVM inlines functions with one caller, which otherwise get a dozen words at each call, and drops the rest.
        LLVM may change the arguments of a private function, so other modules and Numba must not find it by its old
        name. Functions of a cycle, which are called by address, keep their names. So do the functions that count
        references, which Numba finds by name.
        """
        by_address = {linker_name(each.name) for each in self._final_module.global_variables}
        for function in self._final_module.functions:
            is_copy = function.linkage.name == "linkonce_odr" and not function.name.startswith("NRT_")
            if is_copy and function.name not in by_address:
                function.linkage = "private"
                function.name = f"{function.name}.copy"
        super()._optimize_final_module()


_linked: weakref.WeakValueDictionary[str, LinkedLibrary] = weakref.WeakValueDictionary()
"""The library that defines a function, by the name of the function in LLVM."""


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerForLinking(NativeLowering):
    """Numba's pass from typed to LLVM's code, which stops there for a function that Python does not call."""

    _name = "lower_for_linking"

    def run_pass(self, state: Any) -> bool:
        """Lower one function."""
        if not state.flags.no_cpython_wrapper:
            state.library = new_library(CalledLibrary, state)
            return bool(super().run_pass(state))
        state.library = new_library(LinkedLibrary, state)
        state.flags.no_compile = True
        super().run_pass(state)
        description = state.cr.fndesc
        uncallable = twin_without_code(description, state.cr.env, state.library)
        state.targetctx.insert_user_function(uncallable, description, [state.library])
        _linked[description.llvm_func_name] = state.library
        state.reload_init.extend(functions_at_reload(state.library))
        state.cr = state.cr._replace(cfunc=uncallable)
        return True


def new_library(kind: type[JITCodeLibrary], state: Any) -> JITCodeLibrary:
    """An empty library for the function that is being compiled."""
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


def complete(code: CompileResult) -> None:
    """Complete a kernel with the environments and the machine code of the functions that are linked into it.

    Numba sets environments in the same way for code from its cache. Machine code is needed if functions call each other
    in a cycle, because then one of them is called by an address that the engine looks up.
    """
    codegen, made = code.library.codegen, set[str]()
    while lacking := [name for name in unresolved_names(codegen) if name in _linked and name not in made]:
        made.add(lacking[0])
        _linked[lacking[0]].make_machine_code()  # which may lack others, or define others that were lacking
    set_environments(code)
