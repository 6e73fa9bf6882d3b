"""`solve`: the exact value of a position, how far the end is, and all best moves."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gamesearch import compiler
from gamesearch.algorithms.result import Limits, Monitor, MoveValue
from gamesearch.algorithms.session import Session
from gamesearch.algorithms.workspace import MAX_PLY, OUT_OF_SPACE, RUNNING, TOO_DEEP
from gamesearch.bits import mix
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN, NEVER, Game
from gamesearch.solvers.graph import OVER, GameGraph
from gamesearch.solvers.levels import drop_level, solve_level, value_from_store
from gamesearch.solvers.memo import memo
from gamesearch.solvers.periods import GrundyTable, tabulate
from gamesearch.solvers.retrograde import attract, iterate_values, link_predecessors, solve_backwards
from gamesearch.solvers.store import FULL, SOLVED, copy_solved, find, new_store
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
MOST_INTERPRETED = 1 << 20
"""How many positions are explored interpreted before that is hopeless."""
ACCURACY = 1e-12
"""Iteration ends when no value changes by more."""
SWEEPS_AT_ONCE = 16


@dataclass(frozen=True)
class Solution:
    """The exact answer for a position."""

    value: float
    """What the position is worth to Max when both sides play best."""
    distance: int | None
    """Plies to the end when the side that is ahead hurries and the other delays; None where the value is
    a draw, or the method does not tell."""
    best: tuple[int, ...]
    """All best moves; empty at the end of a game and where it is chance's turn."""
    method: str
    """What it was solved by; one of METHODS but `auto`."""
    positions: int
    """How many positions were solved (for `search`: visited)."""
    kept: int
    """How many positions were held in memory at the most."""
    bytes: int
    """The memory that they took."""
    seconds: float
    speed: str
    moves: tuple[MoveValue, ...] = ()
    """The value and distance of each move."""
    grundy: dict[int, int] = field(default_factory=dict)
    """By size, the Grundy numbers of the games that an impartial game is the sum of."""
    grundy_table: GrundyTable | None = None
    """For an octal game, the Grundy numbers of all sizes, with the period that they prove."""


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
    if method not in METHODS:
        raise GamesearchError(f"there is no method {method!r}: {nearest(method, METHODS)}")
    if game.players != 2:
        raise GamesearchError(f"solve is for two players and {game.name} has {game.players}: use analyze with maxn")
    session = Session(game, Limits(), speed, monitor=monitor)
    for name in candidates(game, method):
        tries_first = method == "auto" and name == "memo" and game.impartial
        solution = solve_by_memo(session, state, SMALL) if tries_first else SOLVERS[name](session, state)
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
        raise GamesearchError(f"{game.name} is no sum of impartial games with normal play: use memo")
    if method in ("memo", "search") and recurs:
        raise GamesearchError(f"positions of {game.name} can recur, which {method} cannot value: use retrograde")
    if method == "retrograde" and game.chance and recurs:
        raise GamesearchError(f"chance makes positions of {game.name} recur: use iteration")
    if method == "search" and game.chance:
        raise GamesearchError(f"{game.name} has chance nodes, which search does not know here: use memo")
    return (method,)


def even_value(game: Game[Any]) -> float:
    """What a draw is worth."""
    return (game.MAXSCORE + game.MINSCORE) / 2


def solution_from(
    session: Session, state: Any, method: str, lookup: Callable[[Any], tuple[float, int | None]], **facts: Any
) -> Solution:
    """The answer, when `lookup` gives value and distance of every state that a move leads to."""
    game = session.game
    value, distance = lookup(state)
    tells = value != even_value(game) and not game.chance
    moves: list[MoveValue] = []
    best: list[int] = []
    if not game.terminal(state):
        at_chance = game.player(state) == CHANCE
        for move in game.steps(state):
            after, plies = lookup(game.result(state, move))
            known = None if plies is None or after == even_value(game) or game.chance else plies + 1
            moves.append(MoveValue(move, after, known))
            if not at_chance and after == value and (not tells or plies is None or plies + 1 == distance):
                best.append(move)
    return Solution(
        value=value,
        distance=distance if tells else None,
        best=tuple(best),
        method=method,
        seconds=session.seconds,
        speed=session.speed,
        moves=tuple(moves),
        **facts,
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


def solve_by_memo(session: Session, state: Any, most: int | None = None) -> Solution | None:
    """Top-down; None where there are more than `most` positions."""
    game = session.game
    store = new_store(SOLVED, 1 << 16, session.speed == "compiled")
    while True:
        session.settings = {"node_limit": int(FULL * len(store))}
        session.run(memo, lambda: (game, state, 0, session.workspace, fitting(store, session)))
        if session.workspace.stop == TOO_DEEP and most is not None:
            session.allocate()
            return None
        if session.workspace.stop == TOO_DEEP:
            raise GamesearchError(f"games of {game.name} can last more than {MAX_PLY:,} plies: use retrograde")
        if session.workspace.stop not in (RUNNING, OUT_OF_SPACE):
            raise Interrupted(f"solving was interrupted after {int(session.workspace.nodes):,} positions")
        if session.workspace.stop == RUNNING:
            break
        if most is not None and session.workspace.nodes >= most:
            session.allocate()
            return None
        store = fitting(store, session)
        larger = new_store(SOLVED, 2 * len(store), session.speed == "compiled")
        kernel_at_speed(session, copy_solved)(store, larger)
        store = larger
        session.workspace.stop = RUNNING
    positions = int(session.workspace.nodes)
    lookup = from_store(session, store)
    return solution_from(session, state, "memo", lookup, positions=positions, kept=positions, bytes=store.nbytes)


def fitting(store: Any, session: Session) -> Any:
    """The store as the session's speed wants it; the speed may have changed on the first call."""
    return store.view(np.ndarray) if session.speed == "compiled" else store.view(np.recarray)


def kernel_at_speed(session: Session, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that needs no game, at the session's speed."""
    return compiler.compiled(kernel) if session.speed == "compiled" else kernel


def solve_retrograde(session: Session, state: Any) -> Solution:
    """Bottom-up: by levels where the game can list them, else by predecessors."""
    return solve_by_levels(session, state) if session.game.reach else solve_by_predecessors(session, state)


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
            store = fitting(store, session)
            larger = new_store(SOLVED, 2 * len(store), session.speed == "compiled")
            session.workspace.nodes = int(kernel_at_speed(session, copy_solved)(store, larger))
            store = larger
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


def explored(session: Session, state: Any) -> GameGraph:
    """The graph of all positions that can be reached from a state."""
    game = session.game

    def may_go_on(positions: int) -> bool:
        session.workspace.nodes = positions
        if session.speed == "interpreted" and positions > MOST_INTERPRETED:
            raise GamesearchError(
                f"{game.name} has more than {MOST_INTERPRETED:,} positions: too many to solve interpreted"
            )
        return session.monitor is None or not session.monitor.interrupted

    def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
        return session.run(kernel, lambda: (game, *arguments))

    asked = session.speed
    graph = GameGraph(game, state, asked == "compiled")
    try:
        finished = graph.build(call, may_go_on)
    except (TypeError, ValueError, AttributeError):
        if session.speed == asked:
            raise
        graph = GameGraph(game, state, False)  # it turned out not to compile: begin again with lists
        finished = graph.build(call, may_go_on)
    if not finished:
        raise Interrupted(f"solving was interrupted after {int(session.workspace.nodes):,} positions")
    return graph


def from_graph(session: Session, graph: GameGraph, values: Any, distances: Any) -> Callable[[Any], tuple[float, int]]:
    """Look up a state in a solved graph."""
    readable = graph.index.view(np.recarray)

    def lookup(state: Any) -> tuple[float, int]:
        number = int(readable[find(readable, mix(session.game.key(state)))].number)
        return float(values[number]), int(distances[number])

    return lookup


def values_by_predecessors(session: Session, graph: GameGraph) -> tuple[Any, Any, int]:
    """The values and distances of all positions, backwards from the ends; and the bytes that it took."""
    game, n = session.game, graph.positions
    first, parents = np.zeros(n + 1, np.int64), np.zeros(max(graph.edges, 1), np.int32)
    values, distances, known = np.zeros(n), np.zeros(n, np.int32), np.zeros(n, np.int8)
    queue, waiting = np.zeros(n, np.int32), np.zeros(n, np.int32)
    kernel_at_speed(session, link_predecessors)(n, graph.starts, graph.children, first, parents)
    if game.recurrence == NEVER:
        kernel_at_speed(session, solve_backwards)(
            n, even_value(game), graph.players, graph.payoffs, graph.starts, graph.children, graph.probabilities,
            first, parents, values, distances, known, queue, waiting,
        )  # fmt: skip
    else:
        values[:] = even_value(game)
        payoffs = np.unique(graph.payoffs[:n][graph.players[:n] == OVER])
        for player, goals in (
            (MAX, payoffs[payoffs > even_value(game)][::-1]),
            (MIN, payoffs[payoffs < even_value(game)]),
        ):
            waiting[:] = np.diff(graph.starts[: n + 1])
            for goal in goals:
                kernel_at_speed(session, attract)(
                    n, float(goal), player, graph.players, graph.payoffs, first, parents, values, distances, known,
                    queue, waiting,
                )  # fmt: skip
    return values, distances, sum(array.nbytes for array in (first, parents, values, distances, known, queue, waiting))


def solve_by_predecessors(session: Session, state: Any) -> Solution:
    """Explore forwards, then solve backwards along the predecessors of what is solved."""
    graph = explored(session, state)
    values, distances, size = values_by_predecessors(session, graph)
    lookup, n = from_graph(session, graph, values, distances), graph.positions
    return solution_from(session, state, "retrograde", lookup, positions=n, kept=n, bytes=graph.bytes + size)


def values_by_iteration(session: Session, graph: GameGraph) -> Any:
    """The values of all positions, iterated until they stand still."""
    values = np.full(graph.positions, even_value(session.game))
    sweep = kernel_at_speed(session, iterate_values)
    while True:
        change = sweep(
            graph.positions, SWEEPS_AT_ONCE, ACCURACY, graph.players, graph.payoffs, graph.starts, graph.children,
            graph.probabilities, values,
        )  # fmt: skip
        if change <= ACCURACY:
            return values
        if session.monitor is not None and session.monitor.interrupted:
            raise Interrupted(f"iteration was interrupted while values still changed by {change:.1g}")


def solve_by_iteration(session: Session, state: Any) -> Solution:
    """Sweep over all positions until the values stand still."""
    graph = explored(session, state)
    values = values_by_iteration(session, graph)
    lookup = from_graph(session, graph, values, np.zeros(graph.positions, np.int32))
    n, size = graph.positions, graph.bytes + values.nbytes
    solution = solution_from(session, state, "iteration", lookup, positions=n, kept=n, bytes=size)
    return with_best_within(session.game, state, solution, 100 * ACCURACY)


def with_best_within(game: Game[Any], state: Any, solution: Solution, accuracy: float) -> Solution:
    """The solution with all moves as best that are as good up to the accuracy."""
    if game.terminal(state) or game.player(state) == CHANCE:
        return solution
    best = tuple(m.move for m in solution.moves if abs(float(m.value) - solution.value) <= accuracy)  # type: ignore[arg-type]
    return Solution(**{**vars(solution), "best": best})


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
    return Solution(**{**vars(solution), "distance": None, "speed": "interpreted"})


def with_grundy_numbers(game: Game[Any], state: Any, solution: Solution) -> Solution:
    """The solution with what the theory says of an impartial game, however it was solved."""
    numbers = {size: game.grundy(size) for size in game.subgames(state)}
    code = game.octal_code
    table = tabulate(game.grundy, len(code) - 1) if code else None
    return Solution(**{**vars(solution), "grundy": numbers, "grundy_table": table})


def solve_by_search(session: Session, state: Any) -> Solution:
    """Each move by alpha-beta to the end, with a table and the game's own bounds and order."""
    from gamesearch.algorithms.catalog import load_algorithm, search_with
    from gamesearch.algorithms.workspace import FULL_DEPTH

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
        result = search_with(
            game, s, algorithm, Limits(depth=FULL_DEPTH), speed=session.speed, monitor=session.monitor, past=past
        )
        if result.stopped:
            raise Interrupted(f"solving was interrupted after {nodes + result.statistics.nodes:,} positions")
        nodes += result.statistics.nodes
        assert isinstance(result.value, float)
        return result.value, result.distance

    solution = solution_from(session, state, "search", lookup, positions=0, kept=0, bytes=algorithm_bytes(algorithm))
    return Solution(**{**vars(solution), "positions": nodes, "kept": nodes})


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
