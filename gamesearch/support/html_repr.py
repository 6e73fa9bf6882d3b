"""The base class of results and recordings. Notebooks display them as HTML.

`gamesearch.render` draws the HTML. This module must not import `gamesearch.render`, so `gamesearch.api` registers the
renderer.
"""

from collections.abc import Callable
from html import escape
from typing import Any

__all__ = ["HtmlRepr", "render_html_with"]

_renderers: list[Callable[[Any], str]] = []


def render_html_with(renderer: Callable[[Any], str]) -> None:
    """Register the function that makes the HTML of every `HtmlRepr`."""
    _renderers[:] = [renderer]


class HtmlRepr:
    """An object that notebooks display as HTML. If no renderer is registered, the HTML contains only the object's
    `repr`."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _renderers[0](self) if _renderers else f"<pre>{escape(repr(self))}</pre>"
