"""What a notebook shows of an object: a base class of results and recordings.

The pictures are drawn in `gamesearch.render`, which searches do without: it is imported when a notebook asks.
"""

import importlib

__all__ = ["Shown"]


class Shown:
    """An object that notebooks show as `gamesearch.render.notebook` draws it."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = importlib.import_module("gamesearch.render.notebook").html_of(self)
        return html
