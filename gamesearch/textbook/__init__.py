"""Search algorithms as textbooks print them: short pure functions that call only a game's methods.

These functions only search. Kernels also count nodes, stop at limits, handle repetition and report events.
`algorithms/weaving` makes the kernels of some built-in algorithms from the textbook functions. Tests compare the
results of kernels with the results of the textbook functions. `gamesearch algorithms NAME --source` prints a textbook
function.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

__all__ = ["all_functions"]


def all_functions() -> dict[str, Callable[..., Any]]:
    """The textbook functions in the modules of this folder, by name."""
    modules = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    return {name: getattr(module, name) for module in modules for name in module.__all__}
