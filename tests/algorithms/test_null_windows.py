"""Null windows find a value wherever it lies, whole or not, whatever the game declares."""

import math
from types import SimpleNamespace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from gamesearch.algorithms.parts.null_windows import null_windows
from gamesearch.game import MAX, MIN

VALUES = st.integers(-8, 8) | st.floats(-8, 8, width=16)


def found(
    value: float, slack: float, expected: tuple[float, float], whole: bool, player: int
) -> tuple[float, list[Any]]:
    """What null windows find with a search that is fail-soft by some slack, and its windows."""
    game = SimpleNamespace(player=lambda _: player, win_or_loss=True, draw_value=lambda: 0.0)
    searcher: Any = SimpleNamespace(game=game, stopped="")
    windows = []

    def search(alpha: float, beta: float) -> tuple[float, tuple[int, ...]]:
        windows.append((alpha, beta))
        if value >= beta:
            return max(beta, value - slack), (1,)
        return (min(alpha, value + slack) if value <= alpha else value), (1,)

    answer, variation = null_windows(searcher, None, expected, search, whole)
    assert variation == (1,)
    return answer, windows


@given(VALUES, st.integers(0, 3), st.integers(0, 9), st.integers(0, 9), st.booleans(), st.sampled_from([MAX, MIN]))
@example(0.5, 0, 1, 1, True, MAX)
@example(9.0, 2, 3, 3, True, MIN)
def test_every_value_is_found(value: float, slack: int, below: int, above: int, whole: bool, player: int) -> None:
    expected = (math.floor(value) - float(below), math.ceil(value) + float(above))
    answer, windows = found(value, slack, expected, whole, player)
    assert answer == value
    assert len(set(windows)) == len(windows)
    if whole:
        assert all(beta - alpha == 1 for alpha, beta in windows)


@given(st.integers(-8, 8), st.booleans(), st.sampled_from([MAX, MIN]))
def test_a_value_outside_the_expected_range_is_found(value: int, whole: bool, player: int) -> None:
    assert found(value, 0, (-3.0, 2.0), whole, player)[0] == value


def test_the_first_window_is_below_an_even_game() -> None:
    assert found(0, 0, (-8.0, 8.0), True, MAX)[1] == [(-1.0, 0.0), (0.0, 1.0)]
    assert found(2, 0, (-8.0, 8.0), True, MAX)[1] == [(-1.0, 0.0), (2, 3)]
