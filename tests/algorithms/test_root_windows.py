"""Searches with null windows find every value, whole or fractional, whatever the properties of the game."""

import math
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gamesearch.algorithms.catalog.alphabeta import GUESSED_DEPTH
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.root_windows import aspiration, null_windows
from gamesearch.algorithms.selective.parts import null_step
from gamesearch.api import search
from gamesearch.game import MAX, MIN
from gamesearch.registry import load
from gamesearch.study.differences import Listener

VALUES = st.integers(-8, 8) | st.floats(-8, 8, width=16)


def find_value(
    value: float,
    slack: float,
    expected: tuple[float, float],
    whole: bool,
    player: int,
    guess: float | None = None,
    tells_how_soon: bool = False,
) -> tuple[float, list[Any]]:
    """Search with null windows for `value`; return the value that they find, and the windows.

    Each simulated search returns a bound that differs from `value` by at most `slack`.
    """
    game = SimpleNamespace(
        player=lambda _: player, win_or_loss=True, draw_value=lambda: 0.0, payoffs_tell_how_soon=tells_how_soon
    )
    searcher: Any = SimpleNamespace(game=game, stopped="")
    windows = []

    def search(alpha: float, beta: float) -> tuple[float, tuple[int, ...]]:
        windows.append((alpha, beta))
        if value >= beta:
            return max(beta, value - slack), (1,)
        return (min(alpha, value + slack) if value <= alpha else value), (1,)

    answer, variation = null_windows(searcher, None, expected, search, whole, guess)
    assert variation == (1,)
    return answer, windows


@given(
    VALUES,
    st.integers(0, 3),
    st.integers(0, 9),
    st.integers(0, 9),
    st.booleans(),
    st.sampled_from([MAX, MIN]),
    st.booleans(),
    st.none() | st.floats(-10, 10, width=16),
)
@example(0.5, 0, 1, 1, True, MAX, False, None)
@example(9.0, 2, 3, 3, True, MIN, True, None)
def test_every_value_is_found(
    value: float, slack: int, below: int, above: int, whole: bool, player: int, tells_how_soon: bool,
    guess: float | None,
) -> None:  # fmt: skip
    expected = (math.floor(value) - float(below), math.ceil(value) + float(above))
    answer, windows = find_value(value, slack, expected, whole, player, guess, tells_how_soon)
    assert answer == value
    assert len(set(windows)) == len(windows)
    if whole:
        assert all(beta - alpha == 1 for alpha, beta in windows)


@given(st.integers(-8, 8), st.booleans(), st.sampled_from([MAX, MIN]))
def test_a_value_outside_the_expected_range_is_found(value: int, whole: bool, player: int) -> None:
    assert find_value(value, 0, (-3.0, 2.0), whole, player)[0] == value


def test_the_first_window_is_below_an_even_game() -> None:
    assert find_value(0, 0, (-8.0, 8.0), True, MAX)[1] == [(-1.0, 0.0), (0.0, 1.0)]
    assert find_value(2, 0, (-8.0, 8.0), True, MAX)[1] == [(-1.0, 0.0), (2, 3)]


def test_the_first_window_is_below_the_guess() -> None:
    assert find_value(5, 0, (-8.0, 8.0), True, MAX, 4.5)[1] == [(4.0, 5.0), (5, 6)]
    assert find_value(-6, 0, (-8.0, 8.0), True, MIN, -6.5)[1][0] == (-7.0, -6.0)


def test_if_payoffs_are_points_a_search_to_the_end_begins_with_a_guess() -> None:
    iterations: dict[str, list[int]] = {}

    class Iterations(Listener):
        def iteration(self, depth: int, purpose: str) -> None:
            super().iteration(depth, purpose)
            iterations[self.game].append(depth)

        def __init__(self, game: str) -> None:
            super().__init__()
            self.game, iterations[game] = game, []

    text = "alphabeta(depth=full, table=true, memory=1, bounds=true, window=null)"
    ends = {"othello(size=4)": "b1c1d3a1", "kalah(pits=2, seeds=2)": "", "connect4(rows=3, columns=4)": "1234"}
    for name, played in ends.items():
        game = load(name)
        s = game.parse(played) if played else game.initial()
        expected = search(game, s, "minimax(depth=full)", speed="interpreted")
        found = search(game, s, text, observer=Iterations(name))
        assert found.value == expected.value
        assert found.sees_the_end
    assert {name: depths[0] == GUESSED_DEPTH for name, depths in iterations.items()} == {
        "othello(size=4)": True,
        "kalah(pits=2, seeds=2)": True,
        "connect4(rows=3, columns=4)": False,
    }


def test_a_search_that_is_stopped_in_its_first_guess_claims_no_more_than_the_payoffs() -> None:
    game = load("kalah(pits=3, seeds=2)")
    state = game.parse("0,1,4:1/2,2,2:0 north")
    exact = search(game, state, "alphabeta(depth=full, table=true)", speed="interpreted").value
    assert isinstance(exact, float)
    algorithm = "alphabeta(depth=full, table=true, window=null)"
    for nodes in range(5, 120, 3):
        found = search(game, state, algorithm, limits=Limits(nodes=nodes), speed="interpreted")
        if found.value is not None:
            value = float(found.value)  # type: ignore[arg-type]
            holds = {"upper": value >= exact, "lower": value <= exact, "exact": value == exact}
            assert holds[found.bound], (nodes, found)


def test_if_payoffs_depend_on_the_distance_an_early_win_is_tested_first() -> None:
    assert find_value(11, 0, (-16.0, 17.0), True, MAX, tells_how_soon=True)[1][0] == (8, 9)
    assert find_value(-11, 0, (-17.0, 16.0), True, MIN, tells_how_soon=True)[1][0] == (-9, -8)
    assert find_value(11, 0, (-16.0, 17.0), True, MAX, guess=3, tells_how_soon=True)[1][0] == (2, 3)
    game = load("connect4")
    algorithm = "alphabeta(table=true, order=game, bounds=true, window=null, depth=full)"
    nodes = search(game, game.parse("32164625"), algorithm, speed="interpreted")
    assert (nodes.value, nodes.statistics.nodes) == (11, 8_698)


# Aspiration windows. ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("maximizing", "value", "proves"), [(True, -1, False), (True, 1, True), (False, 1, False), (False, -1, True)]
)
def test_moves_that_failed_in_a_window_prove_nothing(maximizing: bool, value: float, proves: bool) -> None:
    """If a search is stopped after all moves failed low in its window, it does not name a best move."""
    windows: list[tuple[float, float]] = []

    def window_search(low: float, high: float) -> tuple[float, tuple[int, ...]]:
        windows.append((low, high))
        return value, (7,)

    found = aspiration([0.0, 0.0, 0.0], -100, 100, maximizing, window_search, lambda: True)
    assert windows[0][0] > -1
    assert windows[0][1] < 1
    assert found == (value, (7,) if proves else ())


def test_an_aspiration_window_is_widened_if_the_value_is_outside() -> None:
    tried = []

    def value_in(low: float, high: float) -> tuple[float, tuple[int, ...]]:
        tried.append((low, high))
        return 40.0, (1,)

    assert aspiration([0.0, 0.0, 0.0], -100, 100, True, value_in, lambda: False) == (40.0, (1,))
    assert [high for _, high in tried] == [0.5, 2.0, float("inf")]
    assert null_step(load("othello")) > 0
