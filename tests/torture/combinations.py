"""All valid combinations of an algorithm's options, found from its constructor and its declared choices."""

import functools
import inspect
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.algorithms.catalog.pvs import PARTS
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.specification import format_specification

__all__ = ["accepted_options", "fitting", "load_once"]

FREE: dict[str, tuple[Any, ...]] = {
    "depth": ("",),  # each comparison sets `depth` and `time`
    "time": (0.0,),
    "memory": (1,),
    "seed": (0, 1),
    "playouts": (8,),
    "expansions": (8, 30),
    "gain": (0.0, 0.2),
    "draws": (0, 20),
    "plies": (3, 30),  # for random games, which might not end otherwise
    "temperature": (0.5,),
    "exploration": (0.5,),
    "urgency": (10.0, 0.4),
    "rave": (0.0, 20.0),
    "prior": (0.0, 3.0),
    "widening": (0.0, 1.0),
    "implicit": (0.0, 0.5),
    "wins": (0.0, 1.0),
    "width": (0, 1, 2, 5),
    "threads": (1, 2),
    "error": (0.0, 0.3),
    "database": ("",),  # no database, because a folder has the database of only one game
    **dict.fromkeys(PARTS, ("auto", True, False)),
}
"""The values to try for parameters without declared choices. If another parameter is a number, its default, 0 and 1 are
tried."""
MOST, DRAWN = 10_000, 6_000
"""If an algorithm has more than MOST combinations of options, the tests try only DRAWN random combinations."""


def values_of(name: str, parameter: inspect.Parameter, cls: type[Algorithm]) -> tuple[Any, ...]:
    """Return the values to try for a parameter: True and False, the declared choices and their combinations, or the
    values in FREE."""
    if isinstance(parameter.default, bool):
        return (False, True)
    if name in cls.choices:
        choices = tuple(cls.choices[name])
        others = [each for each in choices if each != parameter.default]
        if not is_accepted(cls, {name: "+".join(others[:2])}):
            return choices
        joined = [itertools.combinations(others, size) for size in range(1, len(others) + 1)]
        return (parameter.default, *map("+".join, itertools.chain.from_iterable(joined)))
    if name in FREE:
        return FREE[name]
    if isinstance(parameter.default, (int, float)):
        return tuple(dict.fromkeys((parameter.default, 0, 1)))
    raise NotImplementedError(f"{cls.name} has a new parameter {name}: add the values to try to FREE in {__file__}")


def is_accepted(cls: type[Algorithm], options: dict[str, Any]) -> bool:
    """Whether the constructor accepts the options."""
    try:
        cls(**options)
    except GamesearchError:
        return False
    return True


def choose(ranges: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield all combinations of values, or DRAWN random combinations if there are too many."""
    if math.prod(map(len, ranges)) <= MOST:
        yield from itertools.product(*ranges)
        return
    source = random.Random(0)
    drawn = {tuple(map(source.choice, ranges)) for _ in range(DRAWN)}
    yield from sorted(drawn, key=str)


def combinations_of(cls: type[Algorithm]) -> Iterator[str]:
    """Yield the specifications of an algorithm with all valid combinations of options."""
    parameters = inspect.signature(cls).parameters
    ranges = [values_of(name, parameter, cls) for name, parameter in parameters.items()]
    for values in choose(ranges):
        options = dict(zip(parameters, values, strict=True))
        if is_accepted(cls, options):
            if options.get("table") is False:  # without a table, `memory` only matters if a tree is kept
                options.pop("memory", None)
            given = {name: value for name, value in options.items() if value != parameters[name].default}
            yield format_specification(cls.name, given)


@functools.cache
def accepted_options() -> tuple[str, ...]:
    """Return the specifications of all algorithms with all valid combinations of options."""
    return tuple(text for cls in all_algorithms().values() for text in combinations_of(cls))


@functools.cache
def load_once(text: str) -> Algorithm:
    """Return an algorithm by its specification. Many searches share it, so it must store nothing between them."""
    return load_algorithm(text)


def fitting(game: Game, texts: Sequence[str]) -> list[str]:
    """Return the specifications whose algorithm and options suit a game."""
    return [text for text in texts if fits(game, load_once(text))]


def fits(game: Game, algorithm: Algorithm) -> bool:
    """Whether an algorithm accepts a game."""
    try:
        algorithm.fits(game)
    except GamesearchError:
        return False
    return True
