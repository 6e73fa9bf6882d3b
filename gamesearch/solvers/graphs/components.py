"""The strongly connected components of a graph of positions: those that can come again, and lead to each other.

R. Tarjan 1972, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1.
"""

from typing import Any

import numpy as np

from gamesearch.compiler import kernel

__all__ = ["Scratch", "find_components"]

PLACED = (1 << 31) - 1


class Scratch:
    """What the search for components writes: the components, and its own stacks."""

    def __init__(self, positions: int) -> None:
        self.order = np.zeros(positions, np.int32)
        """The positions, those of a component together, and each component after all that it leads to; inside one, each
        position after those that it leads to, unless these lead to it as well."""
        self.firsts = np.zeros(positions + 1, np.int32)
        """Where in `order` each component begins, and where the last one ends."""
        self.number, self.low = np.zeros(positions, np.int32), np.zeros(positions, np.int32)
        self.waiting, self.path = np.zeros(positions, np.int32), np.zeros(positions, np.int32)
        self.edges = np.zeros(positions, np.int64)


@kernel
def find_components(
    positions: int, starts: Any, children: Any, order: Any, firsts: Any, number: Any, low: Any, waiting: Any,
    path: Any, edges: Any,
) -> int:  # fmt: skip
    """Write the components into `order` and `firsts`; how many there are.

    `number` counts the positions as they are found. `low` is the least number of a position that is known to be in the
    same component, or PLACED where that is complete. `path` leads from the root to the present position, with the next
    edge of each in `edges`; `waiting` holds those that it has left, whose component is not complete.
    """
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
