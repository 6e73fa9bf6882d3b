"""The store: a hash table of all solved positions. It is built on `gamesearch.algorithms.tree_search.node_store`.

Unlike the transposition table of a search, the store never overwrites a position; it is enlarged when it fills up.
Entries can be removed (Knuth, The Art of Computer Programming 3, section 6.4, algorithm R).
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.tree_search.node_store import FULL, find, new_store
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "SOLVED", "counts_plies", "enlarge_store", "lookup_in_store", "prefers", "put", "remove", "store_bytes",
    "value_from_store", "view_for",
]  # fmt: skip

SOLVED = [("key", "i8"), ("value", "f8"), ("distance", "i4"), ("filled", "i4")]
"""The fields of an entry (24 bytes); `filled` is 0 if the entry is empty."""
SMALL = 32 << 20
"""A full store of at most this size in bytes grows to four times its size, so that it is copied less often. A larger
store doubles."""


def store_bytes(positions: float) -> float:
    """The size in bytes of a store that has grown until it has room for this number of positions."""
    places = 1 << 16
    while places * FULL < positions and places < 1 << 60:
        places *= 2
    return float(places * np.dtype(SOLVED).itemsize)


@kernel
def put(store: Any, key: int, value: float, distance: int) -> None:
    """Store the value and distance of a hashed key."""
    entry = store[find(store, key)]
    entry.key = key
    entry.value = value
    entry.distance = distance
    entry.filled = 1


@kernel
def remove(store: Any, key: int) -> None:
    """Remove the entry of a hashed key. The entries behind this entry move up, so that `find` still reaches them."""
    mask = len(store) - 1
    hole = find(store, key)
    place = hole
    while store[hole].filled:
        place = (place + 1) & mask
        if not store[place].filled:
            store[hole].filled = 0
        elif (place - (store[place].key & mask)) & mask >= (place - hole) & mask:
            store[hole].key = store[place].key
            store[hole].value = store[place].value
            store[hole].distance = store[place].distance
            hole = place


@kernel
def copy_solved(old: Any, new: Any) -> int:
    """Put all entries of one store into another; returns their number."""
    count = 0
    for i in range(len(old)):
        if old[i].filled:
            put(new, old[i].key, old[i].value, old[i].distance)
            count += 1
    return count


def counts_plies(game: Game) -> bool:
    """Whether winners play for a short game, and losers for a long game. Only then does a solution count the plies to
    the end."""
    return (game.win_or_loss or game.payoffs_tell_how_soon) and not game.chance


@kernel
def prefers(value: float, distance: int, best: float, best_distance: int, maximizing: bool, even: float) -> bool:
    """Whether a value is better for a player than the best value so far. If the two values are equal, a faster win or a
    slower loss is better."""
    if value != best:
        return value > best if maximizing else value < best
    if value == even:
        return False
    return distance < best_distance if (value > even) == maximizing else distance > best_distance


def view_for(store: Any, runner: Runner) -> Any:
    """The store as an array for kernels. The first call of a kernel may change the runner's speed, so call this
    function again after the first call."""
    return store.view(np.ndarray) if runner.speed == "compiled" else store.view(np.recarray)


def enlarge_store(store: Any, runner: Runner) -> tuple[Any, int]:
    """Copy the entries to a store of twice or four times the size; returns the new store and its number of
    positions."""
    times = 4 if store.nbytes <= SMALL else 2
    try:
        larger = new_store(SOLVED, times * len(store), runner.speed == "compiled")
    except GamesearchError as error:
        if runner.game.chance:
            raise
        raise GamesearchError(f"{error}; use the method `search`, which needs less memory") from None
    return larger, int(runner.call(copy_solved, view_for(store, runner), larger))


@kernel
def value_from_store(game: Game, s: Any, store: Any) -> tuple[float, int]:
    """The value of s and the plies to the end, computed from the children of s. All children must be solved."""
    if game.terminal(s):
        return float(game.utility(s)), 0
    best, distance = 0.0, 0
    if game.player(s) == CHANCE:
        for outcome, probability in game.outcomes(s):
            if probability <= 0.0:
                continue
            known = store[find(store, mix(game.key(game.result(s, outcome))))]
            best += probability * known.value
            distance = max(distance, known.distance + 1)
        return best, distance
    maximizing = game.player(s) == MAX
    even = game.draw_value()
    best = -math.inf if maximizing else math.inf
    for move in game.moves(s):
        known = store[find(store, mix(game.key(game.result(s, move))))]
        if prefers(known.value, known.distance + 1, best, distance, maximizing, even):
            best, distance = known.value, known.distance + 1
    return best, distance


def lookup_in_store(runner: Runner, store: Any) -> Callable[[Any], tuple[float, int]]:
    """A function that returns the value and the distance of a state. The state or all of its children must be
    stored."""
    readable = store.view(np.recarray)
    game = runner.game

    def lookup(state: Any) -> tuple[float, int]:
        entry = readable[find(readable, mix(game.key(state)))]
        if entry.filled:
            return float(entry.value), int(entry.distance)
        value, distance = value_from_store(game, state, readable)
        return float(value), int(distance)

    return lookup
