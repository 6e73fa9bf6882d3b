"""Bottom-up solving by levels: from the end of the game to the state asked for.

Bellman 1957, Dynamic Programming. A game that can list the states of each level needs no search for
them, and levels that no move can reach any more are dropped on the way.
"""

import math
from typing import Any

from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.questions import Levels
from gamesearch.solvers.store import find, prefers, put, remove

__all__ = ["drop_level", "solve_level", "value_from_store"]


@kernel
def value_from_store(game: Game[Any], s: Any, store: Any) -> tuple[float, int]:
    """The value of s and the plies to the end, when all states that its moves lead to are solved."""
    if game.terminal(s):
        return float(game.utility(s)), 0
    best, distance = 0.0, 0
    if game.player(s) == CHANCE:
        for outcome, probability in game.outcomes(s):
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


@kernel
def solve_level(game: Levels[Any], level: int, workspace: Any, store: Any) -> int:
    """Solve the states of a level, the lower ones being solved; how many they are.

    Stops with a count below 0 where the store, of `workspace.node_limit` positions, is full.
    """
    count = 0
    for s in game.states_of_level(level):
        if workspace.nodes >= workspace.node_limit:
            return -1
        value, distance = value_from_store(game, s, store)
        key = mix(game.key(s))
        if not store[find(store, key)].filled:  # else it was solved before the store was doubled
            workspace.nodes += 1
        put(store, key, value, distance)
        count += 1
    return count


@kernel
def drop_level(game: Levels[Any], level: int, workspace: Any, store: Any) -> None:
    """Forget the states of a level."""
    for s in game.states_of_level(level):
        key = mix(game.key(s))
        if store[find(store, key)].filled:
            workspace.nodes -= 1
        remove(store, key)
