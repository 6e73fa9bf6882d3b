"""Solving by alpha-beta to the end of the game; its table may begin with positions that memo has solved."""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from gamesearch.algorithms.alphabeta import AlphaBeta
from gamesearch.algorithms.parts.result import WHY_STOPPED, Limits
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.algorithms.parts.searcher import search_with
from gamesearch.algorithms.parts.table import MEGABYTE, Table, bucket_of, nominal, physical_memory
from gamesearch.algorithms.parts.values import adjusted_for_ply
from gamesearch.algorithms.parts.workspace import FULL_DEPTH, MAX_PLY, RUNNING, TOO_DEEP
from gamesearch.bits import mix
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import FORBIDDEN
from gamesearch.solvers.memo import memo_solution, remember, too_deep
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import find

__all__ = ["solve_by_memo_and_search", "solve_by_search"]

MOST_REMEMBERED = 11_700_000
"""Memo stores at most so many positions, in about 400 MB; search continues from them."""

AT_ONCE = 1 << 18
"""So many places of the store are copied at a time, which bounds the memory that copying takes."""
ENTRY_BYTES = 32
LEAST_MEMORY = 64
"""Megabytes of the table of a search that begins from nothing."""


def solve_by_memo_and_search(runner: Runner, state: Any) -> Solution:
    """Top-down; from MOST_REMEMBERED positions on by search, whose table then begins with what memo knows."""
    store = remember(runner, state, MOST_REMEMBERED)
    if runner.counts.stop == RUNNING:
        return memo_solution(runner, state, store)
    if runner.counts.stop == TOO_DEEP:
        raise too_deep(runner.game)
    known = int(runner.counts.nodes)
    note = f"memo has solved {known:,} positions ({store.nbytes >> 20:,} MB), its limit: search goes on from them"
    if runner.monitor is not None:
        runner.monitor.note(note)
    solution = solve_by_search(runner, state, store.view(np.recarray), known)
    return replace(solution, note=note)


def solve_by_search(runner: Runner, state: Any, store: Any = None, known: int = 0) -> Solution:
    """Each move by alpha-beta to the end, with a table and the game's own bounds and order.

    With a store of solved positions, of which `known` are in it, it begins from them.
    """
    game = runner.game
    # In Go of 3x3, killer moves and history lead deep into what superko ends only late: 13 thousand nodes
    # by the game's order become more than could be waited for.
    order = "game" if game.recurrence == FORBIDDEN else "game+killer+history"
    algorithm = SeededAlphaBeta("full", table=True, memory=memory_for(store), order=order, bounds=True)
    algorithm.solved = store
    nodes = 0

    def lookup(s: Any) -> tuple[float, int | None]:
        nonlocal nodes
        if game.terminal(s):
            return float(game.utility(s)), 0 if game.win_or_loss else None  # of points, search tells no distance
        entry = store[find(store, mix(game.key(s)))] if store is not None else None
        if entry is not None and entry.filled:
            return float(entry.value), int(entry.distance) if game.win_or_loss else None
        past = () if s == state else (state,)
        if not game.steps(s, past):  # every move would bring the first position back: the game is drawn
            return float(game.draw_value()), None
        begun = time.perf_counter()
        result = search_with(
            game, s, algorithm, Limits(depth=FULL_DEPTH), speed=runner.asked, monitor=runner.monitor, past=past
        )
        if result.stopped == "space":
            raise GamesearchError(f"{game.name} cannot be solved by search: {WHY_STOPPED['space']}")
        if result.stopped:
            raise Interrupted(f"solving was interrupted after {known + nodes + result.statistics.nodes:,} positions")
        nodes += result.statistics.nodes
        runner.leave_out(time.perf_counter() - begun - result.statistics.seconds)
        assert isinstance(result.value, float)
        return result.value, result.distance

    size = (algorithm.memory << 20) + (store.nbytes if store is not None else 0)
    try:
        solution = solution_from(runner, state, "search", lookup, positions=0, kept=0, bytes=size)
    finally:
        if store is not None:
            Table.pool.clear()  # a table as large as this is not kept for the next search
    return replace(solution, positions=known + nodes, kept=known + nodes)


class SeededAlphaBeta(AlphaBeta):
    """Alpha-beta with a table whose first entries are solved positions, for games whose positions do not recur."""

    solved: Any = None
    """The store they are in; without one, it is alpha-beta as it is."""

    def window_search(
        self, runner: Runner, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """The value of the root as far as it lies in a window, and its line."""
        if self.solved is not None:
            seed_table(runner, self.solved)
        return super().window_search(runner, state, alpha, beta, depth)


def memory_for(solved: Any) -> int:
    """Megabytes of a table in which most positions of a store have a place: no more than a quarter of the memory."""
    wanted = len(solved) * ENTRY_BYTES // MEGABYTE if solved is not None else 0
    return max(LEAST_MEMORY, min(wanted, physical_memory() // MEGABYTE // 4))


def seed_table(runner: Runner, solved: Any) -> None:
    """Put all positions of a store into a runner's table: proven, to the end of the game, and with no move.

    Where two share a place, the later one stays, at both speeds.
    """
    assert runner.held_table is not None
    entries, places = runner.held_table.entries, solved.view(np.ndarray)
    for begin in range(0, len(places), AT_ONCE):
        known = places[begin : begin + AT_ONCE]
        known = known[known["filled"] != 0]
        fresh = np.zeros(len(known), entries.dtype)
        keys: Any = known["key"]
        fresh["key"], fresh["move"] = keys, -1
        fresh["lower"] = fresh["upper"] = values_to_keep(runner, known)
        fresh["depth"] = -(nominal(FULL_DEPTH - MAX_PLY) + 1)
        fresh["generation"] = runner.held_table.generation
        entries[bucket_of(entries, keys) + (keys >> 62 & 1)] = fresh


def values_to_keep(runner: Runner, known: Any) -> Any:
    """The values of solved positions as the search keeps them: adjusted for how soon they are won, where it tells."""
    game, values = runner.game, known["value"].copy()
    if runner.ply_cost:
        for score in (game.MINSCORE, game.MAXSCORE):
            decided = known["value"] == score
            by_plies = np.array(
                [adjusted_for_ply(game, float(score), plies, runner.ply_cost) for plies in range(MAX_PLY + 1)]
            )
            values[decided] = by_plies[known["distance"][decided]]
    return values
