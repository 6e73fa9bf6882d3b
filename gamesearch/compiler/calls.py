"""Functions and operators that compiled code computes by instructions of our own, and not by compiling their Python.

Compiling a function at each call of it would take longer than all the rest.
"""

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

__all__ = ["call", "declare", "instructions_for"]


def declare(function: Any, typed: Callable[[tuple[Any, ...]], Any]) -> None:
    """Tell Numba which signature a call has: `typed` makes it of the types of the arguments, or says None."""

    @infer_global(function)
    class _Call(AbstractTemplate):
        def generic(self, args, kws):
            return None if kws else typed(args)


def instructions_for(function: Any, result: Any, *accepted: Any) -> Callable[[Callable[..., Any]], Any]:
    """Mark what emits the instructions of a function with a result of one type, as Numba's `lower_builtin` does.

    Of each argument, `accepted` has the types: a type, a class of types or several joined by `|`, or one of these in a
    list, which stands for an array of one dimension.
    """

    def typed(args: tuple[Any, ...]) -> Any:
        fits = len(args) == len(accepted) and all(map(_is_of, args, accepted))
        return signature(result, *args) if fits else None

    declare(function, typed)
    return lower_builtin(function, types.VarArg(types.Any))  # type: ignore[no-any-return]


def call(builder: Any, name: str, result: Any, arguments: Sequence[Any]) -> Any:
    """Call a function of C or of LLVM by its name, with arguments of the types that it takes."""
    shape = ir.FunctionType(result, [each.type for each in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, shape, name), arguments)


def _is_of(kind: Any, accepted: Any) -> bool:
    """Whether a type is among those that are accepted."""
    if isinstance(accepted, list):
        return isinstance(kind, types.Array) and kind.ndim == 1 and _is_of(kind.dtype, accepted[0])
    return kind == accepted if isinstance(accepted, types.Type) else isinstance(kind, accepted)
