"""Aspiration windows: the root is first searched with a window around the value of the previous depth.

J. Gillogly 1972, "The technology chess program", Artificial Intelligence 3; the name is from Slate and Atkin, 1977. If
the value lies below or above the window, the window is widened on this side, and the root is searched again. The width
of the window depends on the differences between the values of the last depths, so that it fits the scale of the game's
estimates.
"""

import math
from collections.abc import Callable, Sequence

__all__ = ["aspiration"]

LEAST_DEPTHS = 3
"""The number of depths, beginning with the first, that are searched with the full window."""
LEAST_WIDTH = 1 / 400
"""The smallest distance of alpha or beta from the expected value, as a fraction of the range of payoffs."""
WIDER = 4.0
"""If the value lies below alpha or above beta, the distance of this bound from the expected value grows by this
factor."""
MOST_FAILURES = 2
"""After this number of values below alpha, alpha becomes minus infinity. After the same number of values above beta,
beta becomes infinity."""

WindowSearch = Callable[[float, float], tuple[float, tuple[int, ...]]]


def aspiration(
    values: Sequence[float],
    least: float,
    greatest: float,
    maximizing: bool,
    search: WindowSearch,
    is_stopped: Callable[[], bool],
) -> tuple[float, tuple[int, ...]]:
    """Search the root with aspiration windows. Returns the value of the root and the principal variation.

    `values` are the values of the earlier depths. Payoffs range from `least` to `greatest`. If a search is stopped and
    all moves so far are too bad for its window, the variation is empty, because no move is proven to reach the value.
    """
    if len(values) < LEAST_DEPTHS or not least < values[-1] < greatest:
        return search(-math.inf, math.inf)
    width = max(LEAST_WIDTH * (greatest - least), abs(values[-1] - values[-2]), abs(values[-2] - values[-3]))
    below = above = width
    low_failures = high_failures = 0
    while True:
        low = values[-1] - below if low_failures < MOST_FAILURES else -math.inf
        high = values[-1] + above if high_failures < MOST_FAILURES else math.inf
        # If alpha or beta is among the values of wins or losses, it becomes infinite. Otherwise, the search could not
        # prove a win or a loss.
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
