"""Machine code only for the kernels that Python calls.

Numba makes machine code of each function by itself, and of each again in every function that calls it. Of a function
that only compiled code calls, all that is needed is LLVM's own form, which is linked into its callers. Build orders
compile in 0.65 of the time.
"""

import weakref
from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

__all__ = ["LowerForLinking", "complete"]


RESUMES = "4nextE"
"""Part of the names of functions that resume a generator, as Numba mangles them."""


class LinkedLibrary(JITCodeLibrary):
    """The code of a function that is linked into its callers, and not called by itself."""

    def _optimize_final_module(self) -> None:
        """Optimise a little, once: the callers' code, which this becomes a part of, is optimised fully.

        Measured: with nothing at all, minimax of tic-tac-toe takes 1.14 times as long; with all of Numba's passes,
        compiling alpha-beta for Connect Four takes 7.5 s instead of 6.4.

        What resumes a generator always becomes a part of the loop that asks it: else all that the generator remembers
        goes through memory at each step. A quiet move of checkers takes 4 ns so and 30 else, and `pvs` makes from 1.04
        to 1.17 of the nodes in eight games; chess, backgammon and checkers compile 1.02 to 1.22 times as long.
        """
        for function in self._final_module.functions:
            if RESUMES in function.name and not function.is_declaration:
                function.add_function_attribute("alwaysinline")
        manager, builder = self._codegen._module_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
        manager.run(self._final_module, builder)

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
        """Optimise, after saying that nothing else calls the copies.

        So LLVM makes what is called at one place a part of its caller, where else a dozen words are handed on at each
        call, and drops what is left over. Alpha-beta takes 0.73 of the time in Connect Four and 0.70 in chess, `pvs`
        0.75 to 0.91 in four games; to compile takes as long. LLVM may change what arguments a copy takes, so it must
        not have the name by which other modules look for the function: neither for the linker, nor for Numba's list of
        what is defined. What is called by its address, in a circle, keeps its name; so does what counts references,
        which Numba knows by name.
        """
        by_address = {each.name.removeprefix(RuntimeLinker.PREFIX) for each in self._final_module.global_variables}
        for function in self._final_module.functions:
            is_copy = function.linkage.name == "linkonce_odr" and not function.name.startswith("NRT_")
            if is_copy and function.name not in by_address:
                function.linkage = "private"
                function.name = f"{function.name}.copy"
        super()._optimize_final_module()


_linked: weakref.WeakValueDictionary[str, LinkedLibrary] = weakref.WeakValueDictionary()
"""Where a function is defined, by its name in LLVM."""


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
        # Numba knows a compiled function by what Python calls, which here has no code.
        uncallable = make_function(
            description.lookup_module(), description.qualname, "", 0, state.cr.env, (state.library,)
        )
        state.targetctx.insert_user_function(uncallable, description, [state.library])
        _linked[description.llvm_func_name] = state.library
        state.reload_init.extend(state.library._reload_init)
        state.cr = state.cr._replace(cfunc=uncallable)
        return True


def new_library(kind: type[JITCodeLibrary], state: Any) -> JITCodeLibrary:
    """An empty library for the function that is being compiled."""
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


def complete(code: CompileResult) -> None:
    """Give a kernel what it lacks of the functions that are linked into it.

    Their environments, as Numba does for code from its cache; and machine code where functions call each other in a
    circle, because then one is called by an address that the engine looks up.
    """
    codegen, made = code.library.codegen, set[str]()
    while lacking := [name for name in codegen._rtlinker._unresolved if name in _linked and name not in made]:
        made.add(lacking[0])
        _linked[lacking[0]].make_machine_code()  # which may lack others, or define others that were lacking
    for each in code._find_referenced_environments():
        codegen.set_env(each.env_name, each)
