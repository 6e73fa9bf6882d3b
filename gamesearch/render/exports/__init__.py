"""Export of searched trees to other formats. The module for a format has the name of the format's suffix.

Each module has a function `export(recording, blank, style)` that returns the text; `blank` makes a worksheet.
"""

import importlib
import pkgutil
from collections.abc import Callable

from gamesearch.render.trees.picture import Style
from gamesearch.trace.recording import Recording

__all__ = ["exporter", "suffixes"]


def suffixes() -> list[str]:
    """The suffixes of all formats, such as `.svg`."""
    return [f".{module.name}" for module in pkgutil.iter_modules(__path__)]


def exporter(suffix: str) -> Callable[[Recording, bool, Style], str]:
    """The export function for a suffix."""
    export: Callable[[Recording, bool, Style], str] = importlib.import_module(f"{__name__}.{suffix[1:]}").export
    return export
