"""The compiled forms of `gamesearch.compiler.rows`: a state as integers of 64 bits in a row of an array."""

from typing import Any

import numpy as np
from numba import typeof, types
from numba.extending import overload

from gamesearch.compiler import rows as rows_of_states
from gamesearch.compiler.wide_bits import WIDTHS, WORD, WideType, declare_wide_fields, with_word, word_of

__all__ = ["row_length"]


def _leaves(typ: Any, text: str) -> list[tuple[str, Any]]:
    """The source text and type of each number of up to 64 bits in a value of nested tuples."""
    if isinstance(typ, WideType):
        return [(f"word_of({text}, {index})", types.int64) for index in range(typ.bitwidth // WORD)]
    if not isinstance(typ, types.BaseTuple):
        return [(text, typ)]
    return [leaf for i, item in enumerate(typ) for leaf in _leaves(item, f"{text}[{i}]")]


def row_length(state: Any) -> int:
    """How many integers of 64 bits hold a state."""
    declare_wide_fields(state)  # Numba may not have seen its class yet
    return len(_leaves(typeof(state), ""))


@overload(rows_of_states.save_state)
def _save_state(rows, number, state):
    if not all(isinstance(typ, types.Integer | types.Boolean) for _, typ in _leaves(state, "")):
        return None
    lines = ["def save(rows, number, state):"]
    lines += [f"    rows[number, {i}] = np.int64({text})" for i, (text, _) in enumerate(_leaves(state, "state"))]
    scope: dict[str, Any] = {"np": np, "word_of": word_of}
    exec("\n".join(lines), scope)
    return scope["save"]


@overload(rows_of_states.load_state)
def _load_state(rows, number, like):
    scope: dict[str, Any] = {"np": np, "with_word": with_word}
    numbers = iter(range(len(_leaves(like, ""))))

    def source(typ: Any) -> str:
        if isinstance(typ, WideType):
            scope[str(typ)] = next(kind for kind, width in WIDTHS.items() if width == typ.bitwidth)
            words = [f"rows[number, {next(numbers)}]" for _ in range(typ.bitwidth // WORD)]
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
