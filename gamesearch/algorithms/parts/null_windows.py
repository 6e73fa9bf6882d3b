"""The value of a position by searches that only ask whether it is more than so much.

Windows without width cut most, and the table remembers what earlier ones found (Plaat, Schaeffer,
Pijls and de Bruin 1996, Artificial Intelligence 87).
"""

import math
from collections.abc import Callable
from typing import Any

from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.game import MAX

__all__ = ["bisect"]

WindowSearch = Callable[[float, float], tuple[float, tuple[int, ...]]]
"""A search of the root with a window: its value, as far as the window tells, and its principal variation."""


def bisect(
    searcher: Searcher, state: Any, expected: tuple[float, float], search: WindowSearch
) -> tuple[float, tuple[int, ...]]:
    """The value of the root, and a move that reaches it, by null windows that halve the expected range.

    Each answer leaves less of the range, so that none is asked twice; where one leaves nothing, the value
    lies outside, and a full window finds it.

    The move is that of the last window that the player to move came out of as he wished: only that shows
    one that reaches the value. Behind it, the variation of a null window is of no value.
    """
    game = searcher.game
    maximizing = game.player(state) == MAX
    lower, upper = expected
    even = game.draw_value() if game.win_or_loss else 0.0
    line: tuple[int, ...] = ()
    while lower != upper or not line:
        if lower > upper:
            value, tried = search(-math.inf, math.inf)
            return (value, tried) if tried else (lower if maximizing else upper, line)
        alpha = question(lower, upper, even, maximizing)
        beta = math.nextafter(alpha, math.inf)
        value, tried = search(alpha, beta)
        if searcher.stopped:
            break
        if value >= beta:
            lower = max(lower, value)
        else:
            upper = min(upper, value)
        if (value >= beta) == maximizing:
            line = tried[:1]
    return (lower if maximizing else upper), line


def question(lower: float, upper: float, even: float, maximizing: bool) -> float:
    """The alpha of the null window that halves a range.

    Further from an even game first: whether a great win or loss is near takes less to find out (Pascal Pons,
    "Iterative deepening", blog.gamesolver.org). Where the range is a single value, the player to move is
    asked for a move that reaches it.
    """
    if lower == upper:
        return math.nextafter(lower, -math.inf) if maximizing else lower
    middle = (lower + upper) / 2
    alpha = min(middle, (lower + even) / 2) if middle <= even else max(middle, (upper + even) / 2)
    return max(lower, min(alpha, math.nextafter(upper, -math.inf)))
