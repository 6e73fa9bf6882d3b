"""Finding the types of a function without resolving the same call again and again.

Numba finds types by going over all statements until nothing changes, and for each recursive call once more from the
beginning; each time it resolves each call and each attribute anew, by trying every rule that it knows for a function.
The answer is the same for the same types, so here it is kept while a kernel is compiled.
"""

from typing import Any

from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference

__all__ = ["InferTypes", "resolved"]

resolved: dict[Any, Any] = {}
"""What was resolved since the compilation of a kernel began; one thread compiles at a time."""


class RememberingContext:
    """Numba's typing context, which knows the signature of each call and the type of each attribute seen before."""

    def __init__(self, context: Any) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature of a call; what fails raises, and is tried anew, for more may be known then."""
        key = (function, tuple(args), tuple(sorted(kws.items())))
        return self._found(key, self.context.resolve_function_type, function, args, kws)

    def resolve_getattr(self, kind: Any, name: str) -> Any:
        """The type of an attribute; None if there is none."""
        return self._found((kind, name), self.context.resolve_getattr, kind, name)

    def _found(self, key: Any, resolve: Any, *question: Any) -> Any:
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
