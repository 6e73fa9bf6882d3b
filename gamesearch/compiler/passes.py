"""Replaces two passes of Numba to save time: type inference, and the generation of machine code.

Numba's type inference repeats all statements until no type changes, and starts again for each recursive call. Each
repetition determines the types of all calls and attributes again, by trying all rules. The types of a call depend only
on the function and the types of its arguments, so this package stores them while a kernel is compiled.

Numba generates machine code for each function, and again inside every function that calls it. If only compiled code
calls a function, separate machine code is not needed, because the function's LLVM code is linked into the callers.
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
"""The types that were determined while the current kernel is compiled. Only one thread compiles at a time."""


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
"""A part of the mangled names that Numba gives to functions that resume a generator."""


class LinkedLibrary(JITCodeLibrary):
    """The code of a function that is linked into its callers. Python never calls this function."""

    def _optimize_final_module(self) -> None:
        """Run only a few optimization passes, because this code is optimized again as a part of its callers.

        A function that resumes a generator is always inlined into the loop that calls it. Otherwise each step of the
        loop would load and store all variables of the generator.
        """
        for function in self._final_module.functions:
            if RESUMES in function.name and not function.is_declaration:
                inline_always(function)
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
    """The code of a function that Python calls, with copies of all functions that it calls."""

    def _optimize_final_module(self) -> None:
        """Make the copies of the called functions private, and optimize.

        LLVM inlines a private function that has a single caller, which saves passing a dozen words, and removes unused
        private functions. Because LLVM may change the arguments of a private function, other modules and Numba must not
        find it by its old name. Two kinds of functions do not become private. Functions that call each other in a cycle
        are called by address, and functions that count references are found by name.
        """
        by_address = {linker_name(each.name) for each in self._final_module.global_variables}
        for function in self._final_module.functions:
            is_copy = function.linkage.name == "linkonce_odr" and not function.name.startswith("NRT_")
            if is_copy and function.name not in by_address:
                function.linkage = "private"
                function.name = f"{function.name}.copy"
        super()._optimize_final_module()


_linked: weakref.WeakValueDictionary[str, LinkedLibrary] = weakref.WeakValueDictionary()
"""The library that defines each function, by the function's name in LLVM."""


@register_pass(mutates_CFG=True, analysis_only=False)
class LowerForLinking(NativeLowering):
    """Numba's pass that translates typed code to LLVM's code. The pass makes no machine code for functions that Python
    does not call."""

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
        uncallable = twin_without_code(description, state.cr.env, state.library)
        state.targetctx.insert_user_function(uncallable, description, [state.library])
        _linked[description.llvm_func_name] = state.library
        state.reload_init.extend(functions_at_reload(state.library))
        state.cr = state.cr._replace(cfunc=uncallable)
        return True


def new_library(kind: type[JITCodeLibrary], state: Any) -> JITCodeLibrary:
    """Make an empty library for the function that is being compiled."""
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


def complete(code: CompileResult) -> None:
    """Complete a kernel: add environments and missing machine code of the functions that are linked into it.

    Numba sets environments in the same way for code from its cache. Machine code is missing if functions call each
    other in a cycle, because then one of the functions is called by an address that LLVM's engine must look up.
    """
    codegen, made = code.library.codegen, set[str]()
    while lacking := [name for name in unresolved_names(codegen) if name in _linked and name not in made]:
        made.add(lacking[0])
        _linked[lacking[0]].make_machine_code()  # may need further functions, or define missing functions
    set_environments(code)
