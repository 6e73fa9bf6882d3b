"""The strongly connected components of a graph of positions, by Tarjan's algorithm.

R. Tarjan 1972, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1.
"""

from typing import Any

import numpy as np

from gamesearch.compiler import kernel

__all__ = ["Scratch", "find_components"]

PLACED = (1 << 31) - 1


class Scratch:
    """The arrays of the search for components: the components and its stacks."""

    def __init__(self, positions: int) -> None:
        self.order = np.zeros(positions, np.int32)
        """The positions grouped by component, each component after all components that it leads to. Within a component,
        each position comes after the positions that it leads to, except along cycles."""
        self.firsts = np.zeros(positions + 1, np.int32)
        """The index in `order` at which each component begins, and the end of the last one."""
        self.number, self.low = np.zeros(positions, np.int32), np.zeros(positions, np.int32)
        self.waiting, self.path = np.zeros(positions, np.int32), np.zeros(positions, np.int32)
        self.edges = np.zeros(positions, np.int64)


@kernel
def find_components(
    positions: int, starts: Any, children: Any, order: Any, firsts: Any, number: Any, low: Any, waiting: Any,
    path: Any, edges: Any,
) -> int:  # fmt: skip
    """Write the components into `order` and `firsts`; returns their number.

    `number` numbers the positions in the order of discovery. `low` is the least known number of a position in the same
    component, or PLACED if the component is complete. `path` leads from the root to the current position, with the next
    edge of each position in `edges`. `waiting` contains finished positions whose component is not complete.
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
