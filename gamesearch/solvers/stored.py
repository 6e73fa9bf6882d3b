"""Solving with a store of positions, doubled whenever it fills up: top-down, or level by level."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gamesearch.algorithms.session import Session
from gamesearch.algorithms.workspace import MAX_PLY, OUT_OF_SPACE, RUNNING, TOO_DEEP
from gamesearch.bits import mix
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
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


def solve_by_memo(session: Session, state: Any) -> Solution:
    """Top-down, however many positions there are."""
    return memo_solution(session, state, remember(session, state))


def solve_few_by_memo(session: Session, state: Any, most: int) -> Solution | None:
    """Top-down; None where there are more than `most` positions, or games last too long."""
    store = remember(session, state, most)
    if session.workspace.stop == RUNNING:
        return memo_solution(session, state, store)
    session.allocate()
    return None


def remember(session: Session, state: Any, most: int | None = None) -> Any:
    """The store of the positions that memo has solved: all, or at `most` where `session.workspace.stop` says so."""
    game, is_limited = session.game, most is not None
    store = new_store(SOLVED, 1 << 16, session.speed == "compiled")
    while True:
        limit = int(FULL * len(store))
        session.settings = {"node_limit": limit if most is None else min(limit, most)}
        session.run(memo, lambda: (game, state, 0, session.workspace, fitting(store, session)))
        stop, positions = int(session.workspace.stop), int(session.workspace.nodes)
        if stop == TOO_DEEP and not is_limited:
            raise too_deep(game)
        if stop not in (RUNNING, OUT_OF_SPACE, TOO_DEEP):
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
        if stop != OUT_OF_SPACE or (most is not None and positions >= most):
            return store
        try:
            store, _ = doubled(store, session)
        except GamesearchError:
            if not is_limited:
                raise
            return store
        session.workspace.stop = RUNNING


def too_deep(game: Game[Any]) -> GamesearchError:
    """What is said of games that last longer than memo can follow them."""
    return GamesearchError(f"games of {game.name} can last more than {MAX_PLY:,} plies: use retrograde")


def memo_solution(session: Session, state: Any, store: Any) -> Solution:
    """The answer, when memo has solved the position and all that it asked for."""
    positions = int(session.workspace.nodes)
    lookup = from_store(session, store)
    return solution_from(session, state, "memo", lookup, positions=positions, kept=positions, bytes=store.nbytes)


def solve_by_levels(session: Session, state: Any) -> Solution:
    """From the last level up to the state's, dropping those that no move can reach any more."""
    game = session.game
    store = new_store(SOLVED, 1 << 10, session.speed == "compiled")
    session.settings = {"node_limit": int(FULL * len(store))}
    positions = kept = 0
    top = game.level(state)
    for level in range(top):
        while (
            count := session.run(solve_level, lambda: (game, level, session.workspace, fitting(store, session)))
        ) < 0:
            store, session.workspace.nodes = doubled(store, session)
            session.settings = {"node_limit": int(FULL * len(store))}
        positions += int(count)
        kept = max(kept, int(session.workspace.nodes))
        if level >= game.reach:
            session.run(drop_level, lambda: (game, level - game.reach, session.workspace, fitting(store, session)))
        if session.monitor is not None and session.monitor.interrupted:
            raise Interrupted(f"solving was interrupted after {positions:,} positions")
    return solution_from(
        session, state, "retrograde", from_store(session, store), positions=positions + 1, kept=kept, bytes=store.nbytes
    )


def from_store(session: Session, store: Any) -> Callable[[Any], tuple[float, int]]:
    """Look up a state in a store; where it was not kept, from those it leads to."""
    readable = store.view(np.recarray)
    game = session.game

    def lookup(state: Any) -> tuple[float, int]:
        entry = readable[find(readable, mix(game.key(state)))]
        if entry.filled:
            return float(entry.value), int(entry.distance)
        value, distance = value_from_store(game, state, readable)
        return float(value), int(distance)

    return lookup


def fitting(store: Any, session: Session) -> Any:
    """The store as the session's speed wants it; the speed may have changed on the first call."""
    return store.view(np.ndarray) if session.speed == "compiled" else store.view(np.recarray)


def doubled(store: Any, session: Session) -> tuple[Any, int]:
    """A store with twice the places, and how many positions it has taken over."""
    try:
        larger = new_store(SOLVED, 2 * len(store), session.speed == "compiled")
    except GamesearchError as error:
        if session.game.chance:
            raise
        raise GamesearchError(f"{error}: search needs no more than its table") from None
    return larger, int(session.call(copy_solved, fitting(store, session), larger))
