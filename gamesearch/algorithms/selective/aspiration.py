"""Aspiration windows: the root is first searched with a window around the value of the depth before.

J. Gillogly 1972, "The technology chess program", Artificial Intelligence 3; the name is Slate and Atkin's, 1977. Where
the value lies outside, the window is opened to that side, and the root is searched again. How wide it is follows from
how much the values of the last depths differed, so that no game has to say in which unit it estimates.
"""

import math
from collections.abc import Callable, Sequence

__all__ = ["aspiration"]

LEAST_DEPTHS = 3
"""So many depths are searched with the full window first."""
LEAST_WIDTH = 1 / 400
"""The least distance of an end from the value expected, as a part of the range of payoffs."""
WIDER = 4.0
"""So many times further away is the next end of a window that failed; after two failures there is none."""
MOST_FAILURES = 2

WindowSearch = Callable[[float, float], tuple[float, tuple[int, ...]]]


def aspiration(
    values: Sequence[float],
    least: float,
    greatest: float,
    maximizing: bool,
    search: WindowSearch,
    is_stopped: Callable[[], bool],
) -> tuple[float, tuple[int, ...]]:
    """The value of the root and its variation; `values` are those of the depths before, `least` to `greatest` the
    payoffs.

    A search that is stopped has no variation if all moves so far failed in its window: none of them is proven to reach
    the value.
    """
    if len(values) < LEAST_DEPTHS or not least < values[-1] < greatest:
        return search(-math.inf, math.inf)
    width = max(LEAST_WIDTH * (greatest - least), abs(values[-1] - values[-2]), abs(values[-2] - values[-3]))
    below = above = width
    low_failures = high_failures = 0
    while True:
        low = values[-1] - below if low_failures < MOST_FAILURES else -math.inf
        high = values[-1] + above if high_failures < MOST_FAILURES else math.inf
        # No window begins or ends among wins or losses, of which only an open window proves one.
        low, high = low if low > least else -math.inf, high if high < greatest else math.inf
        value, variation = search(low, high)
        if is_stopped():
            return value, variation if (value > low if maximizing else value < high) else ()
        if low < value < high:
            return value, variation
        if value <= low:
            low_failures, below = low_failures + 1, below * WIDER
        else:
            high_failures, above = high_failures + 1, above * WIDER
