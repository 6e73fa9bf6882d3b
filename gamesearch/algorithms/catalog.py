"""The algorithms by name: makes an algorithm from a text such as `alphabeta(depth=6, table=true)`.

Each file of `gamesearch.algorithms` holds one algorithm, or a few that share a kernel. A new file is found by
being there. The arguments of the class's constructor are the algorithm's parameters.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gamesearch import algorithms
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.specification import construct, nearest, parse_specification

__all__ = ["ALGORITHMS", "fitting", "load_algorithm"]


def found_algorithms() -> dict[str, type[Algorithm]]:
    """The algorithm classes in the files of `gamesearch.algorithms`, by name, in alphabetical order."""
    modules = [each.name for each in pkgutil.iter_modules(algorithms.__path__) if not each.ispkg]
    names = [f"{algorithms.__name__}.{name}" for name in modules if f"{algorithms.__name__}.{name}" != __name__]
    values = [value for name in names for value in vars(importlib.import_module(name)).values()]
    classes = {value for value in values if inspect.isclass(value) and issubclass(value, Algorithm)}
    return {cls.name: cls for cls in sorted((cls for cls in classes if "name" in vars(cls)), key=lambda cls: cls.name)}


ALGORITHMS = found_algorithms()
"""Every algorithm by its name."""


def fitting(game: Game[Any]) -> str:
    """The name of the exact algorithm that a game is searched with by default."""
    if game.players > 2:
        return "maxn"
    return "expectiminimax" if game.chance else "alphabeta"


def load_algorithm(text: str, defaults: Mapping[str, Any] | None = None) -> Algorithm:
    """The algorithm that a specification stands for.

    `defaults` are values for parameters that the algorithm has and the specification does not name.
    Raises GamesearchError, with the nearest match, for unknown names and parameters.

    >>> load_algorithm("alphabeta(depth=6, table=true)").specification
    'alphabeta(depth=6, table=true)'
    """
    specification = parse_specification(text)
    if specification.name not in ALGORITHMS:
        hint = nearest(specification.name, ALGORITHMS)
        raise GamesearchError(f"there is no algorithm {specification.name!r}: {hint}")
    cls = ALGORITHMS[specification.name]
    known = {name: value for name, value in (defaults or {}).items() if name in inspect.signature(cls).parameters}
    filled = replace(specification, parameters={**known, **specification.parameters})
    algorithm: Algorithm = construct("the algorithm", cls, filled)
    return algorithm
