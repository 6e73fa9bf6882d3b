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
from gamesearch.algorithms.own.making import own_algorithm
from gamesearch.algorithms.own.source import OwnFile, read_file
from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.specification import construct, file_named, nearest, parse_specification

__all__ = ["ALGORITHMS", "algorithm_class", "fitting", "is_algorithm", "load_algorithm"]


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


def is_algorithm(name: str) -> bool:
    """Whether a name is that of an algorithm, or the path of a Python file, which may have one."""
    return name in ALGORITHMS or file_named(name) == name


def algorithm_class(name: str) -> type[Algorithm]:
    """The class of the algorithm with a name, or in a Python file whose path is given."""
    if file_named(name) == name:
        found = read_file(name)
        return own_algorithm(found) if isinstance(found, OwnFile) else found
    if name not in ALGORITHMS:
        raise GamesearchError(f"there is no algorithm {name!r}: {nearest(name, ALGORITHMS)}")
    return ALGORITHMS[name]


def load_algorithm(text: str, defaults: Mapping[str, Any] | None = None) -> Algorithm:
    """The algorithm that a specification stands for; its name may be the path of a person's own file.

    `defaults` are values for parameters that the algorithm has and the specification does not name.
    Raises GamesearchError, with the nearest match, for unknown names and parameters.

    >>> load_algorithm("alphabeta(depth=6, table=true)").specification
    'alphabeta(depth=6, table=true)'
    """
    specification = parse_specification(text)
    cls = algorithm_class(specification.name)
    known = {name: value for name, value in (defaults or {}).items() if name in inspect.signature(cls).parameters}
    filled = replace(specification, parameters={**known, **specification.parameters})
    algorithm: Algorithm = construct("the algorithm", cls, filled)
    return algorithm
