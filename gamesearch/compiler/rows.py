"""Reading and writing states in numbered rows, made by `gamesearch.compiler.new_rows`: a list, or an array.

The compiled forms, which write a state as integers, are in `gamesearch.compiler.row_operations`.
"""

from typing import Any

__all__ = ["load_state", "save_state"]


def save_state(rows: Any, number: int, state: Any) -> None:
    """Keep a state under a number."""
    rows[number] = state


def load_state(rows: Any, number: int, like: Any) -> Any:  # the compiled form needs `like`
    """The state kept under a number; `like` is any state of the same game."""
    return rows[number]
