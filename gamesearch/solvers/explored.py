"""Solving on the graph of all positions: along the predecessors of what is solved, or by iterated values."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.bits import mix
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE, MAX, MIN, NEVER, Game
from gamesearch.solvers.graph import OVER, GameGraph
from gamesearch.solvers.retrograde import NOBODY, iterate_values, link_predecessors, solve_backwards
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import find

__all__ = ["ACCURACY", "solve_by_iteration", "solve_by_predecessors", "values_by_iteration", "values_by_predecessors"]

MOST_INTERPRETED = 1 << 20
"""How many positions are explored interpreted before that is hopeless."""
ACCURACY = 1e-12
"""Iteration ends when no value changes by more."""
SWEEPS_AT_ONCE = 16


def explored(searcher: Searcher, state: Any) -> GameGraph:
    """The graph of all positions that can be reached from a state."""
    game = searcher.game

    def may_go_on(positions: int) -> bool:
        searcher.workspace.nodes = positions
        if searcher.speed == "interpreted" and positions > MOST_INTERPRETED:
            raise GamesearchError(
                f"{game.name} has more than {MOST_INTERPRETED:,} positions: too many to solve interpreted"
            )
        return searcher.monitor is None or not searcher.monitor.interrupted

    def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
        return searcher.run(kernel, lambda: (game, *arguments))

    asked = searcher.speed
    graph = GameGraph(game, state, asked == "compiled", searcher.call)
    try:
        finished = graph.build(call, may_go_on)
    except (TypeError, ValueError, AttributeError):
        if searcher.speed == asked:
            raise
        graph = GameGraph(game, state, False, searcher.call)  # it turned out not to compile: begin again with lists
        finished = graph.build(call, may_go_on)
    if not finished:
        raise Interrupted(f"solving was interrupted after {int(searcher.workspace.nodes):,} positions")
    return graph


def from_graph(searcher: Searcher, graph: GameGraph, values: Any, distances: Any) -> Callable[[Any], tuple[float, int]]:
    """Look up a state in a solved graph."""
    readable = graph.index.view(np.recarray)

    def lookup(state: Any) -> tuple[float, int]:
        number = int(readable[find(readable, mix(searcher.game.key(state)))].number)
        return float(values[number]), int(distances[number])

    return lookup


def values_by_predecessors(searcher: Searcher, graph: GameGraph) -> tuple[Any, Any, int]:
    """The values and distances of all positions, backwards from the ends; and the bytes that it took."""
    n, even = graph.positions, searcher.game.draw_value()
    first, parents = np.zeros(n + 1, np.int64), np.zeros(max(graph.edges, 1), np.int32)
    values, distances, known = np.full(n, even), np.zeros(n, np.int32), np.zeros(n, np.int8)
    queue, waiting = np.zeros(n, np.int32), np.zeros(n, np.int32)
    searcher.call(link_predecessors, n, graph.starts, graph.children, first, parents)
    for player, batches in ends_to_begin_from(searcher.game, graph):
        waiting[:] = np.diff(graph.starts[: n + 1])
        for ends in batches:
            queue[: len(ends)], values[ends], known[ends] = ends, graph.payoffs[ends], 1
            searcher.call(
                solve_backwards, len(ends), player, even, graph.players, graph.starts, graph.children,
                graph.probabilities, first, parents, values, distances, known, queue, waiting,
            )  # fmt: skip
    return values, distances, sum(array.nbytes for array in (first, parents, values, distances, known, queue, waiting))


def ends_to_begin_from(game: Game[Any], graph: GameGraph) -> Iterator[tuple[int, list[Any]]]:
    """The finished games to go backwards from: for a player who can force them, one batch after the other.

    All at once where positions do not recur. Where they do, the best payoffs of each player come first.
    """
    even = game.draw_value()
    over = np.flatnonzero(graph.players[: graph.positions] == OVER)
    if game.recurrence == NEVER:
        yield NOBODY, [over]
        return
    payoffs = graph.payoffs[over]
    goals = np.unique(payoffs)
    yield MAX, [over[payoffs == goal] for goal in goals[goals > even][::-1]]
    yield MIN, [over[payoffs == goal] for goal in goals[goals < even]]


def solve_by_predecessors(searcher: Searcher, state: Any) -> Solution:
    """Explore forwards, then solve backwards along the predecessors of what is solved."""
    graph = explored(searcher, state)
    values, distances, size = values_by_predecessors(searcher, graph)
    lookup, n = from_graph(searcher, graph, values, distances), graph.positions
    return solution_from(searcher, state, "retrograde", lookup, positions=n, kept=n, bytes=graph.bytes + size)


def values_by_iteration(searcher: Searcher, graph: GameGraph) -> Any:
    """The values of all positions, iterated until they stand still."""
    values = np.full(graph.positions, searcher.game.draw_value())
    while True:
        change = searcher.call(
            iterate_values, graph.positions, SWEEPS_AT_ONCE, ACCURACY, graph.players, graph.payoffs, graph.starts,
            graph.children, graph.probabilities, values,
        )  # fmt: skip
        if change <= ACCURACY:
            return values
        if searcher.monitor is not None and searcher.monitor.interrupted:
            raise Interrupted(f"iteration was interrupted while values still changed by {change:.1g}")


def solve_by_iteration(searcher: Searcher, state: Any) -> Solution:
    """Sweep over all positions until the values stand still."""
    graph = explored(searcher, state)
    values = values_by_iteration(searcher, graph)
    lookup = from_graph(searcher, graph, values, np.zeros(graph.positions, np.int32))
    n, size = graph.positions, graph.bytes + values.nbytes
    solution = solution_from(searcher, state, "iteration", lookup, positions=n, kept=n, bytes=size)
    return with_best_within(searcher.game, state, solution, 100 * ACCURACY)


def with_best_within(game: Game[Any], state: Any, solution: Solution, accuracy: float) -> Solution:
    """The solution with all moves as best that are as good up to the accuracy."""
    if game.terminal(state) or game.player(state) == CHANCE:
        return solution
    best = tuple(m.move for m in solution.moves if abs(float(m.value) - solution.value) <= accuracy)  # type: ignore[arg-type]
    return replace(solution, best=best)
