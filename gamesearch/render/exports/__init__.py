"""A searched tree as a file of another program: a module for each format, found by the suffix it is named after.

Each has a function `export(recording, blank, style)` that gives the text; `blank` makes a worksheet.
"""

import importlib
import pkgutil
from collections.abc import Callable

from gamesearch.render.trees.picture import Style
from gamesearch.trace.recording import Recording

__all__ = ["exporter", "suffixes"]


def suffixes() -> list[str]:
    """The suffixes that there is an exporter for, such as `.svg`."""
    return [f".{module.name}" for module in pkgutil.iter_modules(__path__)]


def exporter(suffix: str) -> Callable[[Recording, bool, Style], str]:
    """The function that writes the format of a suffix."""
    export: Callable[[Recording, bool, Style], str] = importlib.import_module(f"{__name__}.{suffix[1:]}").export
    return export
