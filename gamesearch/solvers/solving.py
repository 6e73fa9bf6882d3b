"""`solve`: the exact value of a position, how far the end is, and all best moves."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gamesearch.algorithms.catalog import search_with
from gamesearch.algorithms.parts.result import WHY_STOPPED, Limits, Monitor
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.algorithms.parts.table import Table
from gamesearch.algorithms.parts.workspace import FULL_DEPTH, RUNNING, TOO_DEEP
from gamesearch.bits import mix
from gamesearch.checking import check_arguments
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import FORBIDDEN, MAX, NEVER, Game
from gamesearch.questions import Impartial, Levels, is_impartial
from gamesearch.solvers.explored import solve_by_iteration, solve_by_predecessors
from gamesearch.solvers.periods import tabulate
from gamesearch.solvers.seeded import SeededAlphaBeta, memory_for
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import find
from gamesearch.solvers.stored import (
    memo_solution,
    remember,
    solve_by_levels,
    solve_by_memo,
    solve_few_by_memo,
    too_deep,
)
from gamesearch.specification import nearest

__all__ = ["METHODS", "Solution", "solve"]

METHODS = {
    "auto": "the one that fits the game; search goes on where memo has too many positions",
    "memo": "top-down, each position once",
    "retrograde": "bottom-up from the finished games, by levels or by predecessors",
    "iteration": "values iterated until they stand still, where chance makes positions recur",
    "grundy": "nim-sum of Grundy numbers, for impartial games",
    "search": "alpha-beta to the end of the game, with a table",
}
"""The methods by name, and what they do."""

SMALL = 1 << 13
"""Up to so many positions, an impartial game is solved with its distances rather than by Grundy numbers."""
MOST_REMEMBERED = 11_700_000
"""So many positions, in about 400 MB, `auto` lets memo keep; then search goes on from them."""


def solve(
    game: Game[Any], state: Any, method: str = "auto", *, speed: str = "auto", monitor: Monitor | None = None
) -> Solution:
    """The exact value of a position, how far the end is, and all best moves.

    Raises GamesearchError where the method does not fit the game, or memory is too small.

    >>> from gamesearch import load
    >>> game = load("nim")
    >>> [game.move_name(game.initial(), move) for move in solve(game, game.initial()).best]
    ['a2']
    """
    check_arguments(game, state)
    if method not in METHODS:
        raise GamesearchError(f"there is no method {method!r}: {nearest(method, METHODS)}")
    if game.players > 2:
        raise GamesearchError(f"solve is for two players and {game.name} has {game.players}: use analyze with maxn")
    searcher = Searcher(game, Limits(), speed, monitor=monitor)
    name = fitting_method(game, method)
    if is_impartial(game) and (method == "grundy" or (method == "auto" and name == "memo")):
        return with_grundy_numbers(game, state, solve_impartial(searcher, state, prefers_theory=method == "grundy"))
    if method == "auto" and name == "memo" and not game.chance:
        return solve_by_memo_and_search(searcher, state)
    solution = SOLVERS[name](searcher, state)
    return with_grundy_numbers(game, state, solution) if is_impartial(game) else solution


def fitting_method(game: Game[Any], method: str) -> str:
    """The method itself, or the one that `auto` begins with; refuses a method that does not fit."""
    recurs = game.recurrence != NEVER
    if game.recurrence == FORBIDDEN:
        if method not in ("auto", "search"):
            raise GamesearchError(
                f"what {game.name} allows depends on the positions before, which {method} cannot value: use search"
            )
        return "search"
    if method == "auto":
        if not recurs:
            return "memo"
        return "iteration" if game.chance else "retrograde"
    if method == "grundy" and not is_impartial(game):
        fitting = fitting_method(game, "auto")
        raise GamesearchError(f"{game.name} is no sum of impartial games with normal play: use {fitting}")
    if method in ("memo", "search") and recurs:
        fitting = fitting_method(game, "auto")
        raise GamesearchError(f"positions of {game.name} can recur, which {method} cannot value: use {fitting}")
    if method == "retrograde" and game.chance and recurs:
        raise GamesearchError(f"chance makes positions of {game.name} recur: use iteration")
    if method == "search" and game.chance:
        raise GamesearchError(f"{game.name} has chance nodes, which search does not know here: use memo")
    return method


def solve_retrograde(searcher: Searcher, state: Any) -> Solution:
    """Bottom-up: by levels where the game can list them, else by predecessors."""
    has_levels = isinstance(searcher.game, Levels)
    return solve_by_levels(searcher, state) if has_levels else solve_by_predecessors(searcher, state)


def solve_impartial(searcher: Searcher, state: Any, *, prefers_theory: bool) -> Solution:
    """By Grundy numbers; with how soon, which they do not say, where there are few enough positions to count it."""
    counted = solve_few_by_memo(searcher, state, SMALL)
    if counted is not None and not prefers_theory:
        return counted
    solution = solve_by_grundy(searcher, state)
    if counted is None:
        return solution
    return replace(solution, distance=counted.distance, best=counted.best, moves=counted.moves)


def solve_by_grundy(searcher: Searcher, state: Any) -> Solution:
    """By the nim-sum of the Grundy numbers; they say who wins, not how soon (Sprague 1935, Grundy 1939)."""
    game = searcher.game
    assert is_impartial(game)
    grundy: dict[int, int] = {}

    def nim_sum(s: Any) -> int:
        total = 0
        for size in game.subgames(s):
            if size not in grundy:
                grundy[size] = game.grundy(size)
            total ^= grundy[size]
        return total

    def lookup(s: Any) -> tuple[float, int | None]:
        if game.terminal(s):
            return float(game.utility(s)), None
        wins = (nim_sum(s) != 0) == (game.player(s) == MAX)
        return float(game.MAXSCORE if wins else game.MINSCORE), None

    nim_sum(state)
    sizes = len(grundy)
    solution = solution_from(searcher, state, "grundy", lookup, positions=sizes, kept=sizes, bytes=0)
    return replace(solution, distance=None, speed="interpreted")


def with_grundy_numbers(game: Impartial[Any], state: Any, solution: Solution) -> Solution:
    """The solution with what the theory says of an impartial game, however it was solved."""
    numbers = {size: game.grundy(size) for size in game.subgames(state)}
    code = game.octal_code
    table = tabulate(game.grundy, len(code) - 1) if code else None
    return replace(solution, grundy=numbers, grundy_table=table)


def solve_by_memo_and_search(searcher: Searcher, state: Any) -> Solution:
    """Top-down; from MOST_REMEMBERED positions on by search, whose table then begins with what memo knows."""
    store = remember(searcher, state, MOST_REMEMBERED)
    if searcher.workspace.stop == RUNNING:
        return memo_solution(searcher, state, store)
    if searcher.workspace.stop == TOO_DEEP:
        raise too_deep(searcher.game)
    known = int(searcher.workspace.nodes)
    note = f"memo has solved {known:,} positions ({store.nbytes >> 20:,} MB), its limit: search goes on from them"
    if searcher.monitor is not None:
        searcher.monitor.note(note)
    solution = solve_by_search(searcher, state, store.view(np.recarray), known)
    return replace(solution, note=note)


def solve_by_search(searcher: Searcher, state: Any, store: Any = None, known: int = 0) -> Solution:
    """Each move by alpha-beta to the end, with a table and the game's own bounds and order.

    With a store of solved positions, of which `known` are in it, it begins from them.
    """
    game = searcher.game
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
            game, s, algorithm, Limits(depth=FULL_DEPTH), speed=searcher.asked, monitor=searcher.monitor, past=past
        )
        if result.stopped == "space":
            raise GamesearchError(f"{game.name} cannot be solved by search: {WHY_STOPPED['space']}")
        if result.stopped:
            raise Interrupted(f"solving was interrupted after {known + nodes + result.statistics.nodes:,} positions")
        nodes += result.statistics.nodes
        searcher.leave_out(time.perf_counter() - begun - result.statistics.seconds)
        assert isinstance(result.value, float)
        return result.value, result.distance

    size = (algorithm.memory << 20) + (store.nbytes if store is not None else 0)
    try:
        solution = solution_from(searcher, state, "search", lookup, positions=0, kept=0, bytes=size)
    finally:
        if store is not None:
            Table.pool.clear()  # a table as large as this is not kept for the next search
    return replace(solution, positions=known + nodes, kept=known + nodes)


SOLVERS: dict[str, Callable[[Searcher, Any], Solution]] = {
    "memo": solve_by_memo,
    "retrograde": solve_retrograde,
    "iteration": solve_by_iteration,
    "grundy": solve_by_grundy,
    "search": solve_by_search,
}
