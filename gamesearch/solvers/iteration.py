"""Solving by iteration, where chance makes positions recur: values are computed again until none changes.

Howard 1960, Dynamic Programming and Markov Processes.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from gamesearch.algorithms.parts.runner import Runner
from gamesearch.compiler import kernel
from gamesearch.errors import Interrupted
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.solvers.graph import OVER, GameGraph, explored, lookup_in_graph
from gamesearch.solvers.solution import Solution, solution_from

__all__ = ["ACCURACY", "solve_by_iteration", "values_by_iteration"]

ACCURACY = 1e-12
"""Iteration ends when no value changes by more."""
SWEEPS_AT_ONCE = 16


def solve_by_iteration(runner: Runner, state: Any) -> Solution:
    """Sweep over all positions until the values stand still."""
    graph = explored(runner, state)
    values = values_by_iteration(runner, graph)
    lookup = lookup_in_graph(graph, values, np.zeros(graph.positions, np.int32))
    n, size = graph.positions, graph.bytes + values.nbytes
    solution = solution_from(runner, state, "iteration", lookup, positions=n, kept=n, bytes=size)
    return with_best_within(runner.game, state, solution, 100 * ACCURACY)


def with_best_within(game: Game[Any], state: Any, solution: Solution, accuracy: float) -> Solution:
    """The solution with all moves as best that are as good up to the accuracy."""
    if game.terminal(state) or game.player(state) == CHANCE:
        return solution
    best = tuple(m.move for m in solution.moves if abs(float(m.value) - solution.value) <= accuracy)  # type: ignore[arg-type]
    return replace(solution, best=best)


def values_by_iteration(runner: Runner, graph: GameGraph) -> Any:
    """The values of all positions, iterated until they stand still."""
    values = np.full(graph.positions, runner.game.draw_value())
    while True:
        change = runner.call(
            iterate_values, graph.positions, SWEEPS_AT_ONCE, ACCURACY, graph.players, graph.payoffs, graph.starts,
            graph.children, graph.probabilities, values,
        )  # fmt: skip
        if change <= ACCURACY:
            return values
        if runner.monitor is not None and runner.monitor.interrupted:
            raise Interrupted(f"iteration was interrupted while values still changed by {change:.1g}")


@kernel
def iterate_values(
    positions: int, sweeps: int, accuracy: float, players: Any, payoffs: Any, starts: Any, children: Any,
    probabilities: Any, values: Any,
) -> float:  # fmt: skip
    """Sweep over all positions until no value changes by more than the accuracy; the last change.

    Each value is used as soon as it is new (Gauss-Seidel), the latest discovered positions first.
    """
    change = 0.0
    for _ in range(sweeps):
        change = 0.0
        for i in range(positions - 1, -1, -1):
            player = players[i]
            if player == OVER:
                value = payoffs[i]
            elif player == CHANCE:
                value = 0.0
                for edge in range(starts[i], starts[i + 1]):
                    value += probabilities[edge] * values[children[edge]]
            else:
                value = -math.inf if player == MAX else math.inf
                for edge in range(starts[i], starts[i + 1]):
                    child = values[children[edge]]
                    value = max(value, child) if player == MAX else min(value, child)
            change = max(change, abs(value - values[i]))
            values[i] = value
        if change <= accuracy:
            break
    return change
