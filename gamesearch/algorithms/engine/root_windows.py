"""Windows for the search of the root: null windows, and aspiration windows.

Null windows test whether the value exceeds a number. They cause the most cutoffs, and each search can use the results
of earlier searches, which are in the transposition table (A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin 1996,
"Best-first fixed-depth minimax algorithms", Artificial Intelligence 87).

An aspiration window lies around the value of the previous depth (J. Gillogly 1972, "The technology chess program",
Artificial Intelligence 3; the name is from Slate and Atkin, 1977). If the value lies above or below the window, the
position is searched again with a window that is wider on this side. The width of the window depends on how much the
value changed at the last depths, so that it fits the scale of the estimates.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import MAX

__all__ = ["aspiration", "null_windows"]

WindowSearch = Callable[[float, float], tuple[float, tuple[int, ...]]]
"""A function that searches the root in a window. Returns a value or bound, and the principal variation."""


def null_windows(
    runner: Runner,
    state: Any,
    expected: tuple[float, float],
    search: WindowSearch,
    whole: bool = False,
    guess: float | None = None,
) -> tuple[float, tuple[int, ...]]:
    """Use null windows to find the value of the root and a move that reaches this value. `expected` is the range in
    which the value probably lies.

    Each search narrows the expected range, so no window is searched twice. If the range becomes empty, the value lies
    outside the expected range. A search with the full window then finds the value. If `whole` is True, each window lies
    between adjacent whole numbers, but the value need not be a whole number. If a `guess` is also given, the first
    window ends at the guess, rounded up. Without a guess, the first window depends on the game. If faster wins have
    greater payoffs, it tests for a fast win. If not, it ends at the value of a draw.

    The returned move comes from the last search whose value was above the window (for Min: below the window). Only such
    a search finds a move that reaches the value. In the principal variation of a null-window search, all moves after
    the first are meaningless, so they are omitted.
    """
    game = runner.game
    maximizing = game.player(state) == MAX
    lower, upper = expected
    even = game.draw_value() if game.win_or_loss else 0.0
    variation: tuple[int, ...] = ()
    asks_for_great_win = whole and guess is None and game.payoffs_tell_how_soon and lower < upper
    while lower != upper or not variation:
        if lower > upper:
            value, tried = search(-math.inf, math.inf)
            return (value, tried) if tried else (lower if maximizing else upper, variation)
        if asks_for_great_win:
            alpha, beta = window_of_great_win(lower, upper, even, maximizing)
            asks_for_great_win = False
        elif whole:
            alpha, beta = whole_window(lower, upper, even if guess is None else guess, maximizing)
        else:
            alpha = next_alpha(lower, upper, even, maximizing)
            beta = math.nextafter(alpha, math.inf)
        value, tried = search(alpha, beta)
        if runner.stopped:
            break
        if alpha < value < beta:
            return value, tried
        lower, upper = (max(lower, value), upper) if value >= beta else (lower, min(upper, value))
        if (value >= beta) == maximizing:
            variation = tried[:1]
    return (lower if maximizing else upper), variation


def whole_window(lower: float, upper: float, guess: float, maximizing: bool) -> tuple[float, float]:
    """The next null window, whose ends are neighboring whole numbers. The first window ends at the guess, rounded up.
    Each later window begins or ends at the last bound that a search found. The algorithm that chooses windows in this
    way is MTD(f) (Plaat and others 1996)."""
    if lower == upper:
        alpha = lower - 1 if maximizing else lower
    elif upper <= guess:
        alpha = upper - 1
    else:
        alpha = max(lower, math.ceil(guess) - 1.0)
    return alpha, alpha + 1


def window_of_great_win(lower: float, upper: float, even: float, maximizing: bool) -> tuple[float, float]:
    """A null window between two whole numbers, halfway between a draw and the best result of the player to move.

    Testing for a fast win takes few nodes (Pons, see `next_alpha`). If a fast win exists, a search with a window around
    the value of a draw would visit many more nodes.
    """
    alpha = math.floor((even + upper) / 2) if maximizing else math.ceil((even + lower) / 2) - 1
    alpha = max(math.ceil(lower), min(alpha, math.ceil(upper) - 1))
    return alpha, alpha + 1


def next_alpha(lower: float, upper: float, even: float, maximizing: bool) -> float:
    """Choose a null window that divides the range from `lower` to `upper`, and return its alpha.

    Values far from a draw are tested first, because testing for a fast win or loss takes fewer nodes (Pascal Pons,
    "Iterative deepening", blog.gamesolver.org). If the range is a single value, the returned window lets the search
    find a move that reaches this value.
    """
    if lower == upper:
        return math.nextafter(lower, -math.inf) if maximizing else lower
    middle = (lower + upper) / 2
    alpha = min(middle, (lower + even) / 2) if middle <= even else max(middle, (upper + even) / 2)
    return max(lower, min(alpha, math.nextafter(upper, -math.inf)))


LEAST_DEPTHS = 3
"""At the first LEAST_DEPTHS depths, the root is searched with the full window."""
LEAST_WIDTH = 1 / 400
"""Alpha and beta are at least this far from the expected value. The unit is the range of payoffs."""
WIDER = 4.0
"""If the value is below alpha or above beta, this bound is moved away: its distance from the expected value is
multiplied by WIDER."""
MOST_FAILURES = 2
"""If this many searches have found values below the window, alpha becomes -inf. If this many searches have found values
above the window, beta becomes inf."""


def aspiration(
    values: Sequence[float],
    least: float,
    greatest: float,
    maximizing: bool,
    search: WindowSearch,
    is_stopped: Callable[[], bool],
) -> tuple[float, tuple[int, ...]]:
    """Search the root with aspiration windows. Returns the value of the root and the principal variation.

    `values` are the values that the searches to earlier depths have found. Payoffs range from `least` to `greatest`. If
    a search is stopped before it has found a move that is good enough for the window, the variation is empty.
    """
    if len(values) < LEAST_DEPTHS or not least < values[-1] < greatest:
        return search(-math.inf, math.inf)
    width = max(LEAST_WIDTH * (greatest - least), abs(values[-1] - values[-2]), abs(values[-2] - values[-3]))
    below = above = width
    low_failures = high_failures = 0
    while True:
        low = values[-1] - below if low_failures < MOST_FAILURES else -math.inf
        high = values[-1] + above if high_failures < MOST_FAILURES else math.inf
        # If alpha or beta is the value of a win or a loss, make it infinite, so that the search can prove a win or a
        # loss.
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
