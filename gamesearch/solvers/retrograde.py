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

__all__ = ["attract", "iterate_values", "link_predecessors", "solve_backwards"]


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
    i: int, player: int, starts: Any, children: Any, probabilities: Any, values: Any, distances: Any,
    known: Any, even: float,
) -> tuple[float, int]:  # fmt: skip
    """The value and distance of a position from those of the known positions it leads to."""
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
        if known[child] and prefers(values[child], distances[child] + 1, best, distance, maximizing, even):
            best, distance = values[child], distances[child] + 1
    return best, distance


@kernel
def solve_backwards(
    positions: int, even: float, players: Any, payoffs: Any, starts: Any, children: Any, probabilities: Any,
    first: Any, parents: Any, values: Any, distances: Any, known: Any, queue: Any, waiting: Any,
) -> None:  # fmt: skip
    """Fill in values and distances of a game whose positions do not recur."""
    tail = 0
    for i in range(positions):
        waiting[i] = starts[i + 1] - starts[i]
        if players[i] == OVER:
            values[i], distances[i], known[i] = payoffs[i], 0, 1
            queue[tail] = i
            tail += 1
    head = 0
    while head < tail:
        i = queue[head]
        head += 1
        for link in range(first[i], first[i + 1]):
            parent = parents[link]
            waiting[parent] -= 1
            if waiting[parent] == 0:
                player = int(players[parent])
                value, distance = choose(
                    parent, player, starts, children, probabilities, values, distances, known, even
                )
                values[parent], distances[parent], known[parent] = value, distance, 1
                queue[tail] = parent
                tail += 1


@kernel
def attract(
    positions: int, goal: float, player: int, players: Any, payoffs: Any, first: Any, parents: Any, values: Any,
    distances: Any, known: Any, queue: Any, waiting: Any,
) -> None:  # fmt: skip
    """Solve all positions from which a player can force the payoff `goal`, those of better ones being solved.

    `waiting` counts the moves of each position that do not lead to what is solved for this player. The
    queue holds positions in the order of their distance: one who wants the goal takes the first move
    that reaches it, and who does not has only moves to it when the last is found.
    """
    tail = 0
    for i in range(positions):
        if players[i] == OVER and payoffs[i] == goal:
            values[i], distances[i], known[i] = goal, 0, 1
            queue[tail] = i
            tail += 1
    head = 0
    while head < tail:
        i = queue[head]
        head += 1
        for link in range(first[i], first[i + 1]):
            parent = parents[link]
            waiting[parent] -= 1
            if not known[parent] and (players[parent] == player or waiting[parent] == 0):
                values[parent], distances[parent], known[parent] = goal, distances[i] + 1, 1
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
