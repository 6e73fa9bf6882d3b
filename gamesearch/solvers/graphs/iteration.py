"""Value iteration, for games in which chance makes positions repeat.

Howard 1960, Dynamic Programming and Markov Processes. Positions depend on each other's values only if they lie in the
same strongly connected component. So value iteration solves one component at a time. A component is solved after all
components that it leads to (P. Dai and J. Goldsmith 2007, "Topological value iteration algorithm for Markov decision
processes", IJCAI). The components are found by Tarjan's algorithm (1972, "Depth-first search and linear graph
algorithms", SIAM Journal on Computing 1).
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.compiler import kernel
from gamesearch.errors import Interrupted
from gamesearch.game import CHANCE, MAX
from gamesearch.solvers.graphs.graph import OVER, GameGraph, GraphArrays, build_graph, lookup_in_graph
from gamesearch.solvers.solution import Solution, solution_from

__all__ = ["ACCURACY", "Components", "find_components", "new_components", "solve_by_iteration", "values_by_iteration"]

ACCURACY = 1e-12  # the approximate error of the values for payoffs up to 1
STILL = 1e-14
"""Iteration stops if no value changes by more than this number. This limit is small, because the errors of all
components add up."""
FAR = 1 << 30  # the initial distance to the end, for positions whose distance is not known yet
AT_ONCE = 1 << 24  # the number of values that are computed between two checks for Ctrl-C
PLACED = (1 << 31) - 1  # the value of `low` for a position whose component is complete


class Components(NamedTuple):
    """The strongly connected components of a graph, and the arrays used in the search for them."""

    order: Any
    """The positions in the order of their components. Each component comes after all components that it leads to.
    Within a component, each position comes after its successors, except for successors that were still on the path
    of the search."""
    firsts: Any
    """The index in `order` at which each component begins. The last item is the end of the last component."""
    number: Any
    """The number of each position in the order of discovery. Numbers begin at 1; 0 means that the position has not been
    discovered yet."""
    low: Any
    """The smallest discovery number found so far in the component of a position; PLACED if the component is
    complete."""
    waiting: Any  # finished positions whose component is not complete
    path: Any  # the positions from the root to the current position
    edges: Any  # the next edge of each position on the path


def new_components(positions: int) -> Components:
    """Allocate the arrays in which the strongly connected components of `positions` positions are found."""
    firsts, edges = np.zeros(positions + 1, np.int32), np.zeros(positions, np.int64)
    order, number, low, waiting, path = np.zeros((5, positions), np.int32)
    return Components(order, firsts, number, low, waiting, path, edges)


@kernel
def find_components(positions: int, graph: GraphArrays, found: Components) -> int:
    """Write the components of a graph into `found.order` and `found.firsts`; returns their number."""
    starts, children, order, firsts, number = graph.starts, graph.children, found.order, found.firsts, found.number
    low, waiting, path, edges = found.low, found.waiting, found.path, found.edges
    components = placed = count = waits = 0
    for root in range(positions):
        depth = -1 if number[root] else 0
        entered = root
        while depth >= 0:
            if entered >= 0:
                count += 1
                number[entered] = low[entered] = count
                path[depth], edges[depth] = entered, starts[entered]
                entered = -1
            i = path[depth]
            if edges[depth] < starts[i + 1]:
                child = children[edges[depth]]
                edges[depth] += 1
                if number[child]:
                    low[i] = min(low[i], low[child])
                else:
                    entered = child
                    depth += 1
                continue
            depth -= 1
            waiting[waits] = i
            waits += 1
            if low[i] == number[i]:
                firsts[components] = placed
                components += 1
                first = waits
                while first > 0 and number[waiting[first - 1]] >= number[i]:
                    first -= 1
                for place in range(first, waits):
                    order[placed] = waiting[place]
                    low[waiting[place]] = PLACED
                    placed += 1
                waits = first
            if depth >= 0:
                low[path[depth]] = min(low[path[depth]], low[i])
    firsts[components] = placed
    return components


def solve_by_iteration(runner: Runner, state: Any) -> Solution:
    """Compute the values of all positions repeatedly until they converge."""
    graph = build_graph(runner, state)
    values, distances = values_by_iteration(runner, graph)
    game, n, size = runner.game, graph.positions, graph.bytes + values.nbytes + distances.nbytes
    lookup = lookup_in_graph(graph, values, distances)
    solution = solution_from(runner, state, "iteration", lookup, positions=n, kept=n, bytes=size)
    if not game.chance or game.terminal(state) or game.player(state) == CHANCE:
        return solution
    # All moves whose values differ from the best value by no more than the error are best moves.
    off = ((each.move, abs(float(each.value) - solution.value)) for each in solution.moves)  # type: ignore[arg-type]
    return replace(solution, best=tuple(move for move, error in off if error <= 100 * ACCURACY))


def values_by_iteration(runner: Runner, graph: GameGraph) -> tuple[Any, Any]:
    """The values of all positions, and the plies to the end. The number of plies is 0 for draws. In games with chance
    nodes, it is always 0, because the length of a game is uncertain."""
    n, even, arrays, found = graph.positions, runner.game.draw_value(), graph.arrays, new_components(graph.positions)
    components = runner.call(find_components, n, arrays, found)
    values, still = np.full(n, even), STILL * max(1.0, np.abs(graph.payoffs).max())
    distances = np.zeros(n, np.int32)

    def iterate(kernel: Callable[..., int], *arguments: Any) -> None:
        done = 0
        while done < components:
            done = runner.call(kernel, components, done, AT_ONCE, found, arrays, values, *arguments)
            if done < components and runner.monitor is not None and runner.monitor.interrupted:
                raise Interrupted(f"iteration was interrupted after {found.firsts[done]:,} of {n:,} positions")

    iterate(iterate_values, still)
    if not runner.game.chance:
        distances[values != even] = FAR
        distances[graph.players[:n] == OVER] = 0
        iterate(iterate_distances, even, distances)
    return values, distances


@kernel
def iterate_values(
    components: int, done: int, most: int, found: Components, graph: GraphArrays, values: Any, still: float
) -> int:
    """Sweep over each component until no value changes by more than `still`. Returns the number of finished components.
    New values are used immediately (Gauss-Seidel). After about `most` values, the function returns even if components
    are left."""
    computed, order, firsts = 0, found.order, found.firsts
    while done < components and computed < most:
        change = 0.0
        for place in range(firsts[done], firsts[done + 1]):
            i = order[place]
            value = value_from_children(i, graph, values)
            change = max(change, abs(value - values[i]))
            values[i] = value
        size = firsts[done + 1] - firsts[done]
        computed += size
        if change <= still or (size == 1 and not leads_to_itself(order[firsts[done]], graph)):
            done += 1
    return done


@kernel
def leads_to_itself(i: int, graph: GraphArrays) -> bool:
    """Whether an edge leads from a position to itself, for example if a throw of dice is repeated."""
    for edge in range(graph.starts[i], graph.starts[i + 1]):
        if graph.children[edge] == i:
            return True
    return False


@kernel
def value_from_children(i: int, graph: GraphArrays, values: Any) -> float:
    """The value of a position from the current values of its children."""
    player = graph.players[i]
    if player == OVER:
        return float(graph.payoffs[i])
    if player == CHANCE:
        value = 0.0
        for edge in range(graph.starts[i], graph.starts[i + 1]):
            value += graph.probabilities[edge] * values[graph.children[edge]]
        return value
    value = -math.inf if player == MAX else math.inf
    for edge in range(graph.starts[i], graph.starts[i + 1]):
        child = values[graph.children[edge]]
        value = max(value, child) if player == MAX else min(value, child)
    return value


@kernel
def iterate_distances(
    components: int,
    done: int,
    most: int,
    found: Components,
    graph: GraphArrays,
    values: Any,
    even: float,
    distances: Any,
) -> int:
    """Sweep over the positions of each component until no distance changes. Returns the number of finished components.
    Each distance begins at FAR and only decreases. When no distance changes any more, all distances below FAR are
    correct."""
    computed, order, firsts = 0, found.order, found.firsts
    while done < components and computed < most:
        is_still = True
        for place in range(firsts[done], firsts[done + 1]):
            i = order[place]
            if graph.players[i] != OVER and values[i] != even:
                plies = distance_from_children(i, graph, values, even, distances)
                is_still = is_still and plies == distances[i]
                distances[i] = plies
        computed += firsts[done + 1] - firsts[done]
        if is_still:
            done += 1
    return done


@kernel
def distance_from_children(i: int, graph: GraphArrays, values: Any, even: float, distances: Any) -> int:
    """The plies from a won or lost position to the end of the game, if the winner hurries and the loser delays."""
    is_ahead = (values[i] > even) == (graph.players[i] == MAX)
    plies = FAR if is_ahead else 0
    for edge in range(graph.starts[i], graph.starts[i + 1]):
        child = graph.children[edge]
        if values[child] == values[i]:
            plies = min(plies, distances[child] + 1) if is_ahead else max(plies, distances[child] + 1)
    return min(plies, FAR)
