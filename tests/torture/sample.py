"""Choose comparisons at random, so that every option of every algorithm occurs in each family of positions."""

import functools
import itertools
import random
from collections.abc import Iterator
from contextlib import suppress

from torture.combinations import accepted_options, fitting
from torture.comparison import Comparison, oracle_of
from torture.games import FAMILIES, Position, load_game, random_position
from torture.oracle import EVER, Reading, TooLargeError

__all__ = ["cases", "comparisons"]

DEPTHS = (1, 2, 3, 3, 4, 4, 0, 0)
AT_ONCE = 8
"""The number of option combinations with which each position is searched."""
EXTRAS = ("nodes", "nodes", "moves", "time", *("",) * 12)
"""Extras of a comparison: a node limit, values of moves, a time limit (to run in a thread), or nothing."""
MOST_NODES = 120
NOT_COMPILED = {"expectimax", "paranoid", "random"}
"""Algorithms whose comparisons run only interpreted.

Compiling takes long for `expectimax` and `paranoid`, which wrap the game; `random` has nothing to compile.
"""


@functools.cache
def combinations_for(game: str, is_compiled: bool) -> tuple[tuple[str, ...], ...]:
    """Return tuples of the specifications that suit a game, in random order: first all specifications, then the
    specifications of each algorithm."""
    texts = fitting(load_game(game), accepted_options())
    if is_compiled:
        texts = [text for text in texts if name_of(text) not in NOT_COMPILED and "opponent=random" not in text]
    random.Random(0).shuffle(texts)
    names = sorted({name_of(text) for text in texts})
    return tuple(texts), *(tuple(text for text in texts if name_of(text) == name) for name in names)


def name_of(text: str) -> str:
    """Return the name of the algorithm in a specification."""
    return text.partition("(")[0]


def draw_options(game: str, is_compiled: bool, number: int) -> Iterator[str]:
    """Yield combinations of options for the case with this number, without end.

    Every second combination belongs to the next algorithm in turn, because algorithms with few options would otherwise
    occur rarely.
    """
    everything, *by_algorithm = combinations_for(game, is_compiled)
    for i in itertools.count(number * AT_ONCE // 2):
        of_one = by_algorithm[i % len(by_algorithm)]
        yield of_one[i // len(by_algorithm) % len(of_one)]
        yield everything[i % len(everything)]


def searchable_depth(position: Position, has_past: bool, wanted: int) -> int | None:
    """Return the wanted depth, or the next smaller depth with few enough nodes; None if all depths have too many."""
    reading = Reading(one=0 if load_game(position.game).players > 2 else None)
    for depth in (wanted, *(each for each in (4, 3, 2, 1) if each < (wanted or EVER))):
        with suppress(TooLargeError):
            oracle_of(position, has_past, depth or EVER, reading)
            return depth
    return None


def comparisons(seed: int, family: str, number: int) -> Iterator[Comparison]:
    """Yield the comparisons of a family's case with this number."""
    source = random.Random(f"{seed} {family} {number}")
    position = random_position(family, source)
    has_past = source.random() < 0.7
    depth = searchable_depth(position, has_past, source.choice(DEPTHS))
    if depth is None:
        return
    is_compiled = family.endswith("compiled")
    for text in itertools.islice(draw_options(family_game(family), is_compiled, number), AT_ONCE):
        extra = source.choice(EXTRAS)
        yield Comparison(
            game=position.game,
            start=position.start,
            played=" ".join(map(str, position.played)),
            past=has_past,
            algorithm=text,
            depth=depth,
            by_limits=source.random() < 0.5,
            nodes=source.randint(1, MOST_NODES) if extra == "nodes" else 0,
            time=3600.0 if extra == "time" else 0.0,
            moves=extra == "moves",
            compiled=is_compiled,
        )


@functools.cache
def family_game(family: str) -> str:
    """Return a game of a family; algorithms that suit this game suit all games of the family."""
    return random_position(family, random.Random(0)).game


def cases(seed: int, families: tuple[str, ...] = tuple(FAMILIES)) -> Iterator[tuple[str, Iterator[Comparison]]]:
    """Yield the families in turn, without end; each comes with the comparisons of its next case."""
    number = 0
    while True:
        for family in families:
            yield family, comparisons(seed, family, number)
        number += 1
