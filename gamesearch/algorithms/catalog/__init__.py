"""Load algorithms by name: construct an algorithm from a text such as `alphabeta(depth=6, table=true)`.

Each module of this folder contains one algorithm, or a few algorithms with the same kernel. New modules are found
automatically. The arguments of a class's constructor are the algorithm's parameters.
"""

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gamesearch import aliases
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.parameterized import parameters_of
from gamesearch.specification import Specification, construct, file_named, nearest, parse_specification

__all__ = ["algorithm_class", "all_algorithms", "exact_algorithm", "is_algorithm", "load_algorithm"]

BOOK = "book"
"""The name of the parameter for a player's opening book. It is removed from a specification before the algorithm is
constructed."""


@functools.cache
def all_algorithms() -> dict[str, type[Algorithm]]:
    """The algorithm classes in the modules of this folder, in alphabetical order. The key is the name of the
    algorithm."""
    found = [cls for name in sorted(file_names()) for cls in algorithms_in(name)]
    return {cls.name: cls for cls in sorted(found, key=lambda cls: cls.name)}


@functools.cache
def file_names() -> frozenset[str]:
    """The names of the files that contain algorithms."""
    return frozenset(each.name for each in pkgutil.iter_modules(__path__))


def algorithms_in(file: str) -> list[type[Algorithm]]:
    """The algorithm classes that a file defines."""
    module = importlib.import_module(f"{__name__}.{file}")
    classes = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, Algorithm)]
    return [cls for cls in classes if cls.__module__ == module.__name__ and "name" in vars(cls)]


def find_algorithm(name: str) -> type[Algorithm] | None:
    """The class of the algorithm with this name; None if no such algorithm exists. If a module has the name of the
    algorithm, only this module is imported, so that commands start faster."""
    near = {cls.name: cls for cls in algorithms_in(name)} if name in file_names() else {}
    return near.get(name) or all_algorithms().get(name)


def exact_algorithm(game: Game) -> str:
    """The name of the algorithm that computes the exact values of a game by default."""
    if game.payoff_count > 1:
        return "maxn"
    return "expectiminimax" if game.chance else "alphabeta"


def is_algorithm(name: str) -> bool:
    """Whether a text is the name of an algorithm or the path of a Python file."""
    try:
        return file_named(name) == name or find_algorithm(resolve_name(Specification(name)).name) is not None
    except GamesearchError:
        return False


def resolve_name(given: Specification) -> Specification:
    """Replace an alias in a specification by the name of the algorithm. The path of a file is not changed."""
    if file_named(given.name) == given.name or find_algorithm(given.name) is not None:
        return given
    return aliases.resolve(given, all_algorithms(), aliases.ALGORITHMS)


def algorithm_class(name: str) -> type[Algorithm]:
    """The class of an algorithm, given its name or the path of a Python file."""
    if file_named(name) == name:
        from gamesearch.algorithms.own.algorithm import own_algorithm
        from gamesearch.algorithms.own.source import OwnFile, read_file

        found = read_file(name)
        return own_algorithm(found) if isinstance(found, OwnFile) else found
    cls = find_algorithm(name)
    if cls is None:
        raise GamesearchError(f"there is no algorithm {name!r}: {nearest(name, all_algorithms())}")
    return cls


def load_algorithm(text: str, defaults: Mapping[str, Any] | None = None) -> Algorithm:
    """Load an algorithm by its specification. The name in the specification may be the path of a user's file.

    `defaults` are values for parameters that the specification does not set. Parameters in `defaults` that the
    algorithm does not have are ignored. Raises GamesearchError for an unknown name or parameter; the message suggests
    the nearest match.

    >>> load_algorithm("alphabeta(depth=6, table=true)").specification
    'alphabeta(depth=6, table=true)'
    """
    specification = aliases.replace_old_parameters(resolve_name(parse_specification(text)))
    cls = algorithm_class(specification.name)
    own = parameters_of(cls)
    if BOOK in specification.parameters and BOOK not in own:
        raise GamesearchError(
            f"only the players of `gamesearch play` and `gamesearch match` can use a book: leave "
            f"{BOOK}={specification.parameters[BOOK]} out of "
            f"{specification.name} here"
        )
    known = {name: value for name, value in (defaults or {}).items() if name in own}
    filled = replace(specification, parameters={**known, **specification.parameters})
    algorithm: Algorithm = construct("the algorithm", cls, filled)
    return algorithm
