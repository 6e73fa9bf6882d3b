"""Tools for the rules of games: bitboards, arrays, pictures, known values, random games, and derived games."""

import warnings
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["accept_old_names"]


def accept_old_names(module: Mapping[str, Any], names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a function `__getattr__` for a module, so that files with old names still work. `module` is the result of
    `globals()`, and `names` contains the new name for each old name."""

    def get_attribute(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module['__name__']!r} has no attribute {name!r}")
        warnings.warn(f"{name} is now called {names[name]}", FutureWarning, stacklevel=2)
        return module[names[name]]

    return get_attribute
