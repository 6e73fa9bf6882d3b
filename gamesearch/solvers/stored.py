"""Solving with a store of positions, doubled whenever it fills up: top-down, or level by level."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.algorithms.parts.workspace import MAX_PLY, OUT_OF_SPACE, RUNNING, TOO_DEEP
from gamesearch.bits import mix
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.questions import Levels
from gamesearch.solvers.levels import drop_level, solve_level, value_from_store
from gamesearch.solvers.memo import memo
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import FULL, SOLVED, copy_solved, find, new_store

__all__ = [
    "from_store",
    "memo_solution",
    "remember",
    "solve_by_levels",
    "solve_by_memo",
    "solve_few_by_memo",
    "too_deep",
]


def solve_by_memo(searcher: Searcher, state: Any) -> Solution:
    """Top-down, however many positions there are."""
    return memo_solution(searcher, state, remember(searcher, state))


def solve_few_by_memo(searcher: Searcher, state: Any, most: int) -> Solution | None:
    """Top-down; None where there are more than `most` positions, or games last too long."""
    store = remember(searcher, state, most)
    if searcher.workspace.stop == RUNNING:
        return memo_solution(searcher, state, store)
    searcher.allocate()
    return None


def remember(searcher: Searcher, state: Any, most: int | None = None) -> Any:
    """The store of the positions that memo has solved: all, or at `most` where `searcher.workspace.stop` says so."""
    game, is_limited = searcher.game, most is not None
    store = new_store(SOLVED, 1 << 16, searcher.speed == "compiled")
    while True:
        limit = int(FULL * len(store))
        searcher.settings = {"node_limit": limit if most is None else min(limit, most)}
        searcher.run(memo, lambda: (game, state, 0, searcher.workspace, fitting(store, searcher)))
        stop, positions = int(searcher.workspace.stop), int(searcher.workspace.nodes)
        if stop == TOO_DEEP and not is_limited:
            raise too_deep(game)
        if stop not in (RUNNING, OUT_OF_SPACE, TOO_DEEP):
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
        if stop != OUT_OF_SPACE or (most is not None and positions >= most):
            return store
        try:
            store, _ = doubled(store, searcher)
        except GamesearchError:
            if not is_limited:
                raise
            return store
        searcher.workspace.stop = RUNNING


def too_deep(game: Game[Any]) -> GamesearchError:
    """What is said of games that last longer than memo can follow them."""
    return GamesearchError(f"games of {game.name} can last more than {MAX_PLY:,} plies: use retrograde")


def memo_solution(searcher: Searcher, state: Any, store: Any) -> Solution:
    """The answer, when memo has solved the position and all that it asked for."""
    positions = int(searcher.workspace.nodes)
    lookup = from_store(searcher, store)
    return solution_from(searcher, state, "memo", lookup, positions=positions, kept=positions, bytes=store.nbytes)


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
            count := searcher.run(solve_level, lambda: (game, level, searcher.workspace, fitting(store, searcher)))
        ) < 0:
            store, searcher.workspace.nodes = doubled(store, searcher)
            searcher.settings = {"node_limit": int(FULL * len(store))}
        positions += int(count)
        kept = max(kept, int(searcher.workspace.nodes))
        if level >= game.reach:
            searcher.run(drop_level, lambda: (game, level - game.reach, searcher.workspace, fitting(store, searcher)))
        if searcher.monitor is not None and searcher.monitor.interrupted:
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
    return solution_from(
        searcher,
        state,
        "retrograde",
        from_store(searcher, store),
        positions=positions + 1,
        kept=kept,
        bytes=store.nbytes,
    )


def from_store(searcher: Searcher, store: Any) -> Callable[[Any], tuple[float, int]]:
    """Look up a state in a store; where it was not kept, from those it leads to."""
    readable = store.view(np.recarray)
    game = searcher.game

    def lookup(state: Any) -> tuple[float, int]:
        entry = readable[find(readable, mix(game.key(state)))]
        if entry.filled:
            return float(entry.value), int(entry.distance)
        value, distance = value_from_store(game, state, readable)
        return float(value), int(distance)

    return lookup


def fitting(store: Any, searcher: Searcher) -> Any:
    """The store as the searcher's speed wants it; the speed may have changed on the first call."""
    return store.view(np.ndarray) if searcher.speed == "compiled" else store.view(np.recarray)


def doubled(store: Any, searcher: Searcher) -> tuple[Any, int]:
    """A store with twice the places, and how many positions it has taken over."""
    try:
        larger = new_store(SOLVED, 2 * len(store), searcher.speed == "compiled")
    except GamesearchError as error:
        if searcher.game.chance:
            raise
        raise GamesearchError(f"{error}: search needs no more than its table") from None
    return larger, int(searcher.call(copy_solved, fitting(store, searcher), larger))
