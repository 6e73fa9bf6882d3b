"""What a notebook shows of an object: a base class of results and recordings.

The pictures are drawn in `gamesearch.render`, which this file, below all folders, does not know: `gamesearch.api`
says in `drawn_by` who draws.
"""

from collections.abc import Callable
from html import escape
from typing import Any

__all__ = ["Shown", "drawn_by"]

_drawers: list[Callable[[Any], str]] = []


def drawn_by(drawer: Callable[[Any], str]) -> None:
    """From now on, a function makes the HTML of all that notebooks show."""
    _drawers[:] = [drawer]


class Shown:
    """An object that notebooks show as HTML; as its `repr`, until it is known who draws."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _drawers[0](self) if _drawers else f"<pre>{escape(repr(self))}</pre>"
