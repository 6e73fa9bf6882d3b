"""Bottom-up solving on the graph of a game: from the finished games back along the moves.

K. Thompson 1986, "Retrograde analysis of certain endgames", ICCA Journal 9. A position is solved as
soon as enough of those it leads to are. Where positions can recur, the best payoff is taken first: all
positions from which it can be forced, then those of the next best, for each side; what is left, because
both sides can go on for ever, is a draw. Where chance makes such circles, values are iterated until they
stand still (Howard 1960, Dynamic Programming and Markov Processes).
"""

import math
from typing import Any

from gamesearch.compiler import kernel
from gamesearch.game import CHANCE, MAX
from gamesearch.solvers.graph import OVER
from gamesearch.solvers.store import prefers

__all__ = ["NOBODY", "iterate_values", "link_predecessors", "solve_backwards"]

NOBODY = -3
"""No player, nor chance, nor the end of the game."""


@kernel
def link_predecessors(positions: int, starts: Any, children: Any, first: Any, parents: Any) -> None:
    """Turn the edges round: the parents of i are `parents[first[i]:first[i + 1]]`."""
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
def choose(
    i: int, player: int, even: float, starts: Any, children: Any, probabilities: Any, values: Any, distances: Any
) -> tuple[float, int]:
    """The value and distance of a position from those of the positions it leads to."""
    best, distance = 0.0, 0
    if player == CHANCE:
        for edge in range(starts[i], starts[i + 1]):
            best += probabilities[edge] * values[children[edge]]
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
def solve_backwards(
    ends: int, eager: int, even: float, players: Any, starts: Any, children: Any, probabilities: Any,
    first: Any, parents: Any, values: Any, distances: Any, known: Any, queue: Any, waiting: Any,
) -> None:  # fmt: skip
    """Solve what follows from the first `ends` positions of the queue, which are solved.

    A position is solved once all of its moves lead to what is solved; `waiting` counts those that do not.
    For a player who is `eager` one such move is enough: what the queue holds is all worth the same, and
    there is nothing better for him. It holds positions in the order of their distance, then. So he takes
    the first move that gets there, and the other has nothing else when the last is found.
    """
    head, tail = 0, ends
    while head < tail:
        i = queue[head]
        head += 1
        for link in range(first[i], first[i + 1]):
            parent = parents[link]
            waiting[parent] -= 1
            player = int(players[parent])
            if not known[parent] and (waiting[parent] == 0 or player == eager):
                value, distance = values[i], distances[i] + 1
                if eager == NOBODY:
                    value, distance = choose(parent, player, even, starts, children, probabilities, values, distances)
                values[parent], distances[parent], known[parent] = value, distance, 1
                queue[tail] = parent
                tail += 1


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
