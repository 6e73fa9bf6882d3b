"""Bottom-up solving by levels: from the end of the game to the state asked for.

Bellman 1957, Dynamic Programming. A game that can list the states of each level needs no search for
them, and levels that no move can reach any more are dropped on the way.
"""

from typing import Any

from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.errors import Interrupted
from gamesearch.questions import Levels
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import (
    FULL,
    SOLVED,
    doubled,
    find,
    lookup_in_store,
    new_store,
    put,
    remove,
    value_from_store,
    view_for,
)

__all__ = ["solve_by_levels"]


def solve_by_levels(searcher: Searcher, state: Any) -> Solution:
    """From the last level up to the state's, dropping those that no move can reach any more."""
    game = searcher.game
    assert isinstance(game, Levels)
    store = new_store(SOLVED, 1 << 10, searcher.speed == "compiled")
    searcher.settings = {"node_limit": int(FULL * len(store))}
    positions = kept = 0
    top = game.level(state)
    for level in range(top):
        while (
            count := searcher.run(solve_level, lambda: (game, level, searcher.workspace, view_for(store, searcher)))
        ) < 0:
            store, searcher.workspace.nodes = doubled(store, searcher)
            searcher.settings = {"node_limit": int(FULL * len(store))}
        positions += int(count)
        kept = max(kept, int(searcher.workspace.nodes))
        if level >= game.reach:
            searcher.run(drop_level, lambda: (game, level - game.reach, searcher.workspace, view_for(store, searcher)))
        if searcher.monitor is not None and searcher.monitor.interrupted:
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
    return solution_from(
        searcher,
        state,
        "retrograde",
        lookup_in_store(searcher, store),
        positions=positions + 1,
        kept=kept,
        bytes=store.nbytes,
    )


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
