"""Retrograde analysis: solving the graph of a game from the terminal positions backwards.

K. Thompson 1986, "Retrograde analysis of certain endgames", ICCA Journal 9. A position is solved as soon as enough of
its children are solved. If positions can repeat, the positions from which a side can force its best payoff are solved
first. Next come the positions from which it can force its second-best payoff, and so on. The remaining positions are
draws, because both sides can continue forever.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX, MIN, NEVER, Game
from gamesearch.solvers.graphs.graph import AT_ONCE, OVER, GameGraph, build_graph, lookup_in_graph
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import prefers

__all__ = ["RetrogradeAnalysis", "solve_by_predecessors", "values_by_predecessors"]

NOBODY = -3


def solve_by_predecessors(runner: Runner, state: Any) -> Solution:
    """Explore the graph forwards, then solve it backwards along the predecessors of solved positions."""
    graph = build_graph(runner, state)
    values, distances, size = values_by_predecessors(runner, graph)
    lookup, n = lookup_in_graph(graph, values, distances), graph.positions
    return solution_from(runner, state, "retrograde", lookup, positions=n, kept=n, bytes=graph.bytes + size)


def values_by_predecessors(runner: Runner, graph: GameGraph) -> tuple[Any, Any, int]:
    """Solve a graph by retrograde analysis; returns the values and distances of all positions, and the memory in bytes
    that was needed."""
    solving = RetrogradeAnalysis(runner, graph)
    for _ in solving.steps():
        pass
    return solving.arrays.values, solving.arrays.distances, solving.bytes


class Links(NamedTuple):
    """The edges of a graph as arrays, in both directions: the parents of i are `parents[first[i]:first[i + 1]]`."""

    players: Any
    starts: Any
    children: Any
    probabilities: Any
    first: Any
    parents: Any


class PositionArrays(NamedTuple):
    """Arrays that contain the values and distances found so far, and the queue of solved positions. `known` is 1 for
    solved positions. `waiting` is the number of moves of a position that lead to unsolved positions."""

    values: Any
    distances: Any
    known: Any
    queue: Any
    waiting: Any


class RetrogradeAnalysis:
    """The state of a retrograde analysis.

    Another process can continue from this state and the graph. The state consists of `arrays` and `place`. `place` has
    three numbers: the batches of terminal positions that were begun, the positions of the current queue that were
    processed, and the length of this queue.
    """

    def __init__(self, runner: Runner, graph: GameGraph) -> None:
        n = graph.positions
        self.runner, self.graph, self.even = runner, graph, runner.game.draw_value()
        first, parents = np.zeros(n + 1, np.int64), np.zeros(max(graph.edges, 1), np.int32)
        self.links = Links(graph.players, graph.starts, graph.children, graph.probabilities, first, parents)
        distances, queue, waiting = np.zeros((3, n), np.int32)
        self.arrays = PositionArrays(np.full(n, self.even), distances, np.zeros(n, np.int8), queue, waiting)
        self.place = np.zeros(3, np.int64)
        runner.call(link_predecessors, n, graph.starts, graph.children, first, parents)

    @property
    def bytes(self) -> int:
        """The number of bytes that the arrays need, not counting the graph."""
        return sum(int(array.nbytes) for array in (*self.arrays, self.links.first, self.links.parents))

    def steps(self) -> Iterator[int]:
        """Solve all positions; regularly yields the number of processed positions in the current queue."""
        graph, arrays = self.graph, self.arrays
        for number, (player, is_new, ends) in enumerate(ends_to_begin_from(self.runner.game, graph)):
            if number + 1 < self.place[0]:
                continue
            if number == self.place[0]:
                if is_new:
                    arrays.waiting[:] = np.diff(graph.starts[: graph.positions + 1])
                arrays.queue[: len(ends)], arrays.values[ends], arrays.known[ends] = ends, graph.payoffs[ends], 1
                self.place[:] = number + 1, 0, len(ends)
            while self.place[1] < self.place[2]:
                most = AT_ONCE[graph.is_compiled]
                self.runner.call(solve_backwards, most, self.place, player, self.even, self.links, arrays)
                yield int(self.place[1])


def ends_to_begin_from(game: Game, graph: GameGraph) -> Iterator[tuple[int, bool, Any]]:
    """Yield batches of terminal positions, in the order in which backward solving starts from them. Each batch comes
    with a player and a flag. The payoff of the batch is better than a draw for this player. The flag is True for the
    first batch of this player.

    If positions do not repeat, one batch contains all terminal positions, and the player is NOBODY. If positions can
    repeat, there is a batch for each payoff other than a draw. Each player's batches begin with the player's best
    payoff.
    """
    even = game.draw_value()
    over = np.flatnonzero(graph.players[: graph.positions] == OVER)
    if game.repetition == NEVER:
        yield NOBODY, True, over
        return
    payoffs = graph.payoffs[over]
    goals = np.unique(payoffs)
    for player, wanted in ((MAX, goals[goals > even][::-1]), (MIN, goals[goals < even])):
        for place, goal in enumerate(wanted):
            yield player, place == 0, over[payoffs == goal]


@kernel
def link_predecessors(positions: int, starts: Any, children: Any, first: Any, parents: Any) -> None:
    """Reverse the edges: the parents of i are `parents[first[i]:first[i + 1]]`."""
    for edge in range(starts[positions]):
        first[children[edge] + 1] += 1
    for i in range(positions):
        first[i + 1] += first[i]
    for i in range(positions - 1, -1, -1):
        for edge in range(starts[i], starts[i + 1]):
            child = children[edge]
            first[child + 1] -= 1
            parents[first[child + 1]] = i
    for i in range(positions):
        first[i] = first[i + 1]
    first[positions] = starts[positions]


@kernel
def choose(i: int, player: int, even: float, links: Links, arrays: PositionArrays) -> tuple[float, int]:
    """The value and distance of a position, computed from its children."""
    starts, children, values, distances = links.starts, links.children, arrays.values, arrays.distances
    best, distance = 0.0, 0
    if player == CHANCE:
        for edge in range(starts[i], starts[i + 1]):
            best += links.probabilities[edge] * values[children[edge]]
            distance = max(distance, distances[children[edge]] + 1)
        return best, distance
    maximizing = player == MAX
    best = -math.inf if maximizing else math.inf
    for edge in range(starts[i], starts[i + 1]):
        child = children[edge]
        if prefers(values[child], distances[child] + 1, best, distance, maximizing, even):
            best, distance = values[child], distances[child] + 1
    return best, distance


@kernel
def solve_backwards(most: int, place: Any, eager: int, even: float, links: Links, arrays: PositionArrays) -> None:
    """Process up to `most` solved positions of the queue, and solve their predecessors.

    The second element of `place` is the number of processed positions, and the third is the length of the queue. A
    position is solved when all its moves lead to solved positions. If positions can repeat, all positions in the queue
    have the payoff that the player `eager` wants. So a position of this player is solved as soon as one of its moves
    leads to a position in the queue. The queue is then ordered by distance. So the eager player's fastest move reaches
    the queue first, and the other player's slowest move reaches it last.
    """
    values, distances, known, queue, waiting = arrays
    head, tail = place[1], place[2]
    last = head + most
    while head < min(tail, last):
        i = queue[head]
        head += 1
        for link in range(links.first[i], links.first[i + 1]):
            parent = links.parents[link]
            waiting[parent] -= 1
            player = int(links.players[parent])
            if not known[parent] and (waiting[parent] == 0 or player == eager):
                value, distance = values[i], distances[i] + 1
                if eager == NOBODY:
                    value, distance = choose(parent, player, even, links, arrays)
                values[parent], distances[parent], known[parent] = value, distance, 1
                queue[tail] = parent
                tail += 1
    place[1] = head
    place[2] = tail
