"""Solve a game by alpha-beta search to the end of the game. The initial transposition table may contain positions that
the method memo has solved."""

import functools
import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.algorithm import value_and_distance
from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.algorithms.engine.result import WHY_STOPPED, Limits
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.table import MEGABYTE, Table, bucket_of, nominal, physical_memory
from gamesearch.algorithms.node.values import adjusted_for_ply
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY, RUNNING, TOO_DEEP
from gamesearch.algorithms.tree_search.node_store import find
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import MAX, Game
from gamesearch.solvers.dynamic_programming import memo_solution, remember, too_deep
from gamesearch.solvers.solution import Chooser, Solution, solution_from
from gamesearch.toolkit.bits import mix

__all__ = ["solve_by_memo_and_search", "solve_by_search", "solving_alphabeta"]

MOST_REMEMBERED = 11_700_000
"""The greatest number of positions that the method memo stores (about 400 MB). Larger games are solved by
alpha-beta."""

AT_ONCE = 1 << 18
"""The store is copied in parts of this size, so that the copies need little memory."""
ENTRY_BYTES = 32
LEAST_MEMORY = 64  # the least megabytes for the transposition table of a search that begins with solved positions
USUAL_MEMORY = 128
"""The size of the transposition table, in megabytes, if no positions are solved before the search. Larger tables are
slower (benchmarks/results.md)."""


def solve_by_memo_and_search(runner: Runner, state: Any) -> Solution:
    """Solve by memo. If MOST_REMEMBERED positions are not enough, copy their values to a transposition table, and
    continue with alpha-beta."""
    store = remember(runner, state, MOST_REMEMBERED)
    if runner.counts.stop == RUNNING:
        return memo_solution(runner, state, store)
    if runner.counts.stop == TOO_DEEP:
        raise too_deep(runner.game, state)
    known = int(runner.counts.nodes)
    note = f"memo has solved {known:,} positions ({store.nbytes >> 20:,} MB, its limit); alpha-beta takes over"
    if runner.monitor is not None:
        runner.monitor.note(note)
    return replace(solve_by_search(runner, state, store.view(np.recarray), known), note=note)


def solve_by_search(runner: Runner, state: Any, store: Any = None, known: int = 0) -> Solution:
    """Solve the position and each move by alpha-beta to the end of the game. The search uses null windows, the game's
    bounds and the game's move order. The transposition table begins with the `known` solved positions in `store`. If
    `store` is None, the table begins empty."""
    algorithm = solving_alphabeta(store)
    size = (algorithm.memory << 20) + (store.nbytes if store is not None else 0)
    begun = time.perf_counter()
    try:
        with algorithm.runner(runner.game, runner.requested_speed) as roots:
            roots.start(Limits(), monitor=runner.monitor)
            solving = RootSearches(roots, algorithm, state, store, known)
            solving.search_values()
            solving.search_distances()
            runner.leave_out(time.perf_counter() - begun - roots.seconds)
            runner.speed, n = roots.speed, solving.positions
    finally:
        if store is not None:
            Table.pool.clear()  # the table is too large to keep it for the next search
    return solution_from(runner, state, "search", solving.lookup, chooser(runner), positions=n, kept=n, bytes=size)


def chooser(solved_by: Runner) -> Chooser:
    """A function that searches any position after the solved position, and returns a best move. All its searches use
    the same transposition table."""
    algorithm = solving_alphabeta(None)

    @functools.cache
    def start_searches() -> Runner:
        runner = algorithm.runner(solved_by.game, solved_by.speed)
        runner.start(Limits(), monitor=solved_by.monitor)
        return runner

    def choose(s: Any) -> int:
        runner = start_searches()
        algorithm.known = (-math.inf, math.inf)
        _, variation = algorithm.one_depth(runner, s, FULL_DEPTH)
        if runner.stopped:
            raise Interrupted(f"the strategy was interrupted after {int(runner.counts.nodes):,} positions")
        return variation[0]

    return choose


def solving_alphabeta(store: Any) -> "SolvingAlphaBeta":
    """The alpha-beta algorithm for solving. Its transposition table takes at most a quarter of the machine's memory.

    Moves are searched in the order of the game. If killer moves and history change this order, null-window searches to
    the end of the game visit several times as many nodes (benchmarks/results.md).
    """
    most, memory = max(LEAST_MEMORY, physical_memory() // MEGABYTE // 4), USUAL_MEMORY
    if store is not None:
        memory = max(LEAST_MEMORY, len(store) * ENTRY_BYTES // MEGABYTE)
    return SolvingAlphaBeta("full", table=True, memory=min(memory, most), order="game", bounds=True, window="null")


class SolvingAlphaBeta(AlphaBeta):
    """Alpha-beta that begins with known bounds on the root value and reports narrower bounds as it proves them."""

    known = (-math.inf, math.inf)  # the narrowest known bounds on the value of the root
    tell: Callable[[], None] = staticmethod(lambda: None)
    """A function that is called when the bounds on the root's value have changed."""

    def expected_range(self, game: Game, state: Any) -> tuple[float, float]:
        """The bounds that are known before the search, clipped to the game's own bounds."""
        least, greatest = super().expected_range(game, state)
        return max(least, self.known[0]), min(greatest, self.known[1])

    def window_search(
        self, runner: Runner, state: Any, alpha: float, beta: float, depth: int
    ) -> tuple[float, tuple[int, ...]]:
        """Search the root within a window. Returns the value and the principal variation of the root."""
        value, variation = super().window_search(runner, state, alpha, beta, depth)
        if not runner.stopped and depth == FULL_DEPTH:  # a shallower search only estimates the value
            lower, upper = self.known
            self.known = max(lower, value) if value > alpha else lower, min(upper, value) if value < beta else upper
            self.tell()
        return value, variation


class RootSearches:
    """The searches that solve a position: one search of the position itself, and one of the position after each move.
    These positions are the roots.

    All searches use the same transposition table, whose values are exact and do not depend on the path
    (`gamesearch.algorithms.node.repetition`).
    """

    def __init__(self, runner: Runner, algorithm: SolvingAlphaBeta, state: Any, store: Any, known: int) -> None:
        self.runner, self.algorithm, self.game = runner, algorithm, runner.game
        self.state, self.store, self.known = state, store, known
        self.after: dict[Any, int] = {}
        if not self.game.terminal(state):
            self.after = {self.game.result(state, move): move for move in reversed(self.game.steps(state))}
        self.roots = [state, *reversed(self.after)]
        self.values: dict[Any, float] = {}
        self.distances: dict[Any, int] = {}
        algorithm.tell = self.show_progress

    @property
    def positions(self) -> int:
        """The number of positions that memo has solved plus the number that the searches have visited."""
        return self.known + int(self.runner.counts.nodes)

    def lookup(self, s: Any) -> tuple[float, int | None]:
        """The value of a root, and its distance to the end of the game."""
        return self.values[s], self.distances.get(s)

    def search_values(self) -> None:
        """Search the position itself, and then the position after each move. No move has a better value than the
        position itself."""
        self.begin(mate_distances=False)
        for s in self.roots:
            self.algorithm.known = self.expect_value(s)
            self.show_progress()
            value = self.value_without_search(s)
            if value is None:
                self.runner.past = self.earlier_positions(s)
                value, _ = self.algorithm.one_depth(self.runner, s, FULL_DEPTH)
                self.check_stopped()
            self.values[s] = value

    def expect_value(self, s: Any) -> tuple[float, float]:
        """Bounds on the value of a root, given the values of earlier roots."""
        if s == self.state:
            return -math.inf, math.inf
        best = self.values[self.state]
        return (-math.inf, best) if self.game.player(self.state) == MAX else (best, math.inf)

    def value_without_search(self, s: Any) -> float | None:
        """Return the value of a root if the root is terminal, is in the store, or is drawn because it has no moves.
        Otherwise, return None."""
        if self.game.terminal(s):
            return float(self.game.utility(s))
        entry = self.stored_entry(s)
        if entry is not None:
            return float(entry.value)
        return None if self.game.steps(s, self.earlier_positions(s)) else float(self.game.draw_value())

    def stored_entry(self, s: Any) -> Any:
        """The entry of a root in the store, or None."""
        entry = self.store[find(self.store, mix(self.game.key(s)))] if self.store is not None else None
        return entry if entry is not None and entry.filled else None

    def earlier_positions(self, s: Any) -> tuple[Any, ...]:
        """The positions before the root. The result is empty if the root is the position to solve; otherwise, it
        contains only the position to solve."""
        return () if s == self.state else (self.state,)

    def search_distances(self) -> None:
        """Find the distances of wins and losses; games for points have no distances. Entries that earlier searches
        stored in the transposition table are not used, because they do not contain distances."""
        if not self.game.win_or_loss:
            return
        decided = [s for s in self.roots if self.values[s] in (self.game.MINSCORE, self.game.MAXSCORE)]
        searched = [s for s in decided if not self.game.terminal(s) and self.stored_entry(s) is None]
        if searched:
            self.begin(mate_distances=True)
        for s in self.roots:
            if self.game.terminal(s):
                self.distances[s] = 0
            elif (entry := self.stored_entry(s)) is not None:
                self.distances[s] = int(entry.distance)
            elif s in searched:
                self.show_progress(
                    f"searching for the fastest win: position {1 + searched.index(s)} of {len(searched)}"
                )
                self.runner.past = self.earlier_positions(s)
                window = self.algorithm.window_of_decisions(self.runner, self.values[s])
                value, _ = self.algorithm.window_search(self.runner, s, *window, FULL_DEPTH)
                self.check_stopped()
                distance = value_and_distance(self.game, value, self.runner.ply_cost)[1]
                assert distance is not None
                self.distances[s] = distance

    def begin(self, *, mate_distances: bool) -> None:
        """Set the options of the next searches, and put the positions of the store into the transposition table."""
        self.algorithm.tell = self.show_progress if not mate_distances else lambda: None
        self.runner.begin(bounds=not mate_distances, mate_distances=mate_distances)
        if self.store is not None:
            seed_table(self.runner, self.store)

    def show_progress(self, text: str = "") -> None:
        """Report to the monitor which search is running, and the results so far."""
        if self.runner.monitor is not None:
            done = len(self.values)
            which = f"move {done} of {len(self.roots) - 1}" if done else "the position"
            self.runner.monitor.stage = "; ".join(part for part in (text or which, self.describe_bounds()) if part)

    def describe_bounds(self) -> str:
        """The results so far, as a text: the value or its bounds, and the values of the moves."""
        if self.state not in self.values:
            lower, upper = self.algorithm.known
            bounds = [f"at least {value_text(lower)}"] if lower > -math.inf else []
            bounds += [f"at most {value_text(upper)}"] if upper < math.inf else []
            return f"the value is {' and '.join(bounds)}" if bounds else ""
        parts = [f"the value is {value_text(self.values[self.state])}"]
        moves = [(self.game.move_name(self.state, move), s) for s, move in reversed(self.after.items())]
        parts += [f"{name}: {value_text(self.values[s])}" for name, s in moves if s in self.values]
        return ", ".join(parts)

    def check_stopped(self) -> None:
        """If the search was stopped, raise an error. After Ctrl-C, the message contains the results so far."""
        if self.runner.stopped == "space":
            raise GamesearchError(f"{self.game.name} cannot be solved by search: {WHY_STOPPED['space']}")
        if self.runner.stopped:
            found = self.describe_bounds()
            known = f"; {found}" if found else ""
            raise Interrupted(f"solving was interrupted after {self.positions:,} positions{known}")


def seed_table(runner: Runner, solved: Any) -> None:
    """Copy all positions of a store into a transposition table, with exact values, full depth and no best move."""
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
    """The values of solved positions, as the transposition table stores them: the value of a win or loss may contain
    its distance."""
    game, values = runner.game, known["value"].copy()
    if runner.ply_cost:
        for score in (game.MINSCORE, game.MAXSCORE):
            decided = known["value"] == score
            by_plies = [adjusted_for_ply(game, float(score), plies, runner.ply_cost) for plies in range(MAX_PLY + 1)]
            values[decided] = np.array(by_plies)[known["distance"][decided]]
    return values
