"""Bottom-up solving by levels: from the end of the game to the state asked for.

Bellman 1957, Dynamic Programming. A game that can list the states of each level needs no search for
them, and levels that no move can reach any more are dropped on the way.
"""

from typing import Any

from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import Counts, Options
from gamesearch.algorithms.tree_search.node_store import FULL, find, new_store
from gamesearch.compiler import kernel
from gamesearch.errors import Interrupted
from gamesearch.optional import Levels
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import (
    SOLVED,
    enlarged,
    lookup_in_store,
    put,
    remove,
    value_from_store,
    view_for,
)
from gamesearch.toolkit.bits import mix

__all__ = ["solve_by_levels"]


def solve_by_levels(runner: Runner, state: Any) -> Solution:
    """From the last level up to the state's, dropping those that no move can reach any more."""
    game = runner.game
    assert isinstance(game, Levels)
    store = new_store(SOLVED, 1 << 10, runner.speed == "compiled")
    runner.execution.limits = Limits(nodes=int(FULL * len(store)))
    positions = kept = 0
    for level in range(game.level(state)):
        while (
            count := runner.execute(
                solve_level, lambda: (game, level, runner.options, runner.counts, view_for(store, runner))
            )
        ) < 0:
            store, runner.counts.nodes = enlarged(store, runner)
            runner.execution.limits = Limits(nodes=int(FULL * len(store)))
        positions += int(count)
        kept = max(kept, int(runner.counts.nodes))
        if level >= game.reach:
            runner.execute(drop_level, lambda: (game, level - game.reach, runner.counts, view_for(store, runner)))
        if runner.monitor is not None and runner.monitor.interrupted:
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
    return solution_from(
        runner,
        state,
        "retrograde",
        lookup_in_store(runner, store),
        positions=positions + 1,
        kept=kept,
        bytes=store.nbytes,
    )


@kernel
def solve_level(game: Levels[Any], level: int, options: Options, counts: Counts, store: Any) -> int:
    """Solve the states of a level, the lower ones being solved; how many they are.

    Stops with a count below 0 where the store, of `options.node_limit` positions, is full.
    """
    count = 0
    for s in game.states_of_level(level):
        if counts.nodes >= options.node_limit:
            return -1
        value, distance = value_from_store(game, s, store)
        key = mix(game.key(s))
        if not store[find(store, key)].filled:  # else it was solved before the store was enlarged
            counts.nodes += 1
        put(store, key, value, distance)
        count += 1
    return count


@kernel
def drop_level(game: Levels[Any], level: int, counts: Counts, store: Any) -> None:
    """Forget the states of a level."""
    for s in game.states_of_level(level):
        key = mix(game.key(s))
        if store[find(store, key)].filled:
            counts.nodes -= 1
        remove(store, key)
