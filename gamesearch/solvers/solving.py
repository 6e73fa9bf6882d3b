"""`solve`: the exact value of a position, how far the end is, and all best moves."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm, search_with
from gamesearch.algorithms.result import Limits, Monitor
from gamesearch.algorithms.session import Session
from gamesearch.algorithms.workspace import FULL_DEPTH
from gamesearch.checking import check_arguments
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import FORBIDDEN, MAX, NEVER, Game
from gamesearch.solvers.explored import solve_by_iteration, solve_by_predecessors
from gamesearch.solvers.periods import tabulate
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.stored import solve_by_levels, solve_by_memo
from gamesearch.specification import nearest

__all__ = ["METHODS", "Solution", "solve"]

METHODS = {
    "auto": "the one that fits the game",
    "memo": "top-down, each position once",
    "retrograde": "bottom-up from the finished games, by levels or by predecessors",
    "iteration": "values iterated until they stand still, where chance makes positions recur",
    "grundy": "nim-sum of Grundy numbers, for impartial games",
    "search": "alpha-beta to the end of the game, with a table",
}
"""The methods by name, and what they do."""

SMALL = 1 << 14
"""Up to so many positions, an impartial game is solved with its distances rather than by Grundy numbers."""


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
    session = Session(game, Limits(), speed, monitor=monitor)
    for name in candidates(game, method):
        tries_first = method == "auto" and name == "memo" and game.impartial
        solution = solve_by_memo(session, state, SMALL) if tries_first else SOLVERS[name](session, state)
        if solution is not None and method == "grundy":
            counted = solve_by_memo(session, state, SMALL)  # the theory does not say how soon
            if counted is not None:
                solution = replace(solution, distance=counted.distance, best=counted.best, moves=counted.moves)
        if solution is not None:
            return with_grundy_numbers(game, state, solution) if game.impartial else solution
    raise AssertionError("the last candidate always solves")


def candidates(game: Game[Any], method: str) -> tuple[str, ...]:
    """The methods to try, the first that answers counts; refuses a method that does not fit."""
    recurs = game.recurrence != NEVER
    if game.recurrence == FORBIDDEN:
        if method not in ("auto", "search"):
            raise GamesearchError(
                f"what {game.name} allows depends on the positions before, which {method} cannot value: use search"
            )
        return ("search",)
    if method == "auto":
        if game.chance and recurs:
            return ("iteration",)
        if recurs:
            return ("retrograde",)
        return ("memo", "grundy") if game.impartial else ("memo",)
    if method == "grundy" and not game.impartial:
        fitting = candidates(game, "auto")[0]
        raise GamesearchError(f"{game.name} is no sum of impartial games with normal play: use {fitting}")
    if method in ("memo", "search") and recurs:
        fitting = candidates(game, "auto")[0]
        raise GamesearchError(f"positions of {game.name} can recur, which {method} cannot value: use {fitting}")
    if method == "retrograde" and game.chance and recurs:
        raise GamesearchError(f"chance makes positions of {game.name} recur: use iteration")
    if method == "search" and game.chance:
        raise GamesearchError(f"{game.name} has chance nodes, which search does not know here: use memo")
    return (method,)


def solve_retrograde(session: Session, state: Any) -> Solution:
    """Bottom-up: by levels where the game can list them, else by predecessors."""
    return solve_by_levels(session, state) if session.game.reach else solve_by_predecessors(session, state)


def solve_by_grundy(session: Session, state: Any) -> Solution:
    """By the nim-sum of the Grundy numbers; they say who wins, not how soon (Sprague 1935, Grundy 1939)."""
    game = session.game
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
    solution = solution_from(session, state, "grundy", lookup, positions=sizes, kept=sizes, bytes=0)
    return replace(solution, distance=None, speed="interpreted")


def with_grundy_numbers(game: Game[Any], state: Any, solution: Solution) -> Solution:
    """The solution with what the theory says of an impartial game, however it was solved."""
    numbers = {size: game.grundy(size) for size in game.subgames(state)}
    code = game.octal_code
    table = tabulate(game.grundy, len(code) - 1) if code else None
    return replace(solution, grundy=numbers, grundy_table=table)


def solve_by_search(session: Session, state: Any) -> Solution:
    """Each move by alpha-beta to the end, with a table and the game's own bounds and order."""
    game = session.game
    # In Go of 3x3, killer moves and history lead deep into what superko ends only late: 13 thousand nodes
    # by the game's order become more than could be waited for.
    order = "game" if game.recurrence == FORBIDDEN else "game+killer+history"
    algorithm = load_algorithm(f"alphabeta(depth=full, table=true, order={order}, bounds=true)")
    nodes = 0

    def lookup(s: Any) -> tuple[float, int | None]:
        nonlocal nodes
        if game.terminal(s):
            return float(game.utility(s)), 0
        past = () if s == state else (state,)
        if not game.steps(s, past):  # every move would bring the first position back: the game is drawn
            return float(game.draw_value()), None
        begun = time.perf_counter()
        result = search_with(
            game, s, algorithm, Limits(depth=FULL_DEPTH), speed=session.speed, monitor=session.monitor, past=past
        )
        if result.stopped:
            raise Interrupted(f"solving was interrupted after {nodes + result.statistics.nodes:,} positions")
        nodes += result.statistics.nodes
        session.leave_out(time.perf_counter() - begun - result.statistics.seconds)
        assert isinstance(result.value, float)
        return result.value, result.distance

    solution = solution_from(session, state, "search", lookup, positions=0, kept=0, bytes=algorithm_bytes(algorithm))
    return replace(solution, positions=nodes, kept=nodes)


def algorithm_bytes(algorithm: Any) -> int:
    """The memory of an algorithm's table."""
    return int(algorithm.memory) << 20


SOLVERS: dict[str, Callable[[Session, Any], Solution | None]] = {
    "memo": solve_by_memo,
    "retrograde": solve_retrograde,
    "iteration": solve_by_iteration,
    "grundy": solve_by_grundy,
    "search": solve_by_search,
}
