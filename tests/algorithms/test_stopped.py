"""A search that is stopped at any node returns a move and a correct bound of the value, or neither of them."""

from typing import Any

import pytest

from gamesearch import Limits, load, search
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.catalog.minimax import Minimax
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.root_windows import aspiration


def stopped(game: Any, state: Any, text: str, nodes: int) -> SearchResult:
    return search(game, state, text, limits=Limits(nodes=nodes), speed="interpreted")


@pytest.mark.parametrize("text", ["minimax", "maxn", "expectiminimax", "alphabeta", "pvs"])
def test_with_a_limit_on_time_the_last_depth_counts(text: str) -> None:
    game = load("yavalath" if text == "maxn" else "tictactoe")
    algorithm = load_algorithm(f"{text}(time=60)")
    assert algorithm.deepen
    found = search(game, game.initial(), algorithm, limits=Limits(nodes=200), speed="interpreted")
    assert found.best is not None
    assert found.value is not None


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


@pytest.mark.parametrize("text", ["minimax(depth=1, bounds=true)", "alphabeta(depth=1, bounds=true)"])
def test_bounds_of_minimax_are_the_extreme_payoffs(text: str) -> None:
    """The option `bounds` clips values to the game's bounds in `alphabeta`, but not in `minimax`."""
    game = load("othello(size=4)")
    state = game.parse("OOOX-OXO-XXOXXXO O")
    plain = search(game, state, "minimax(depth=1)", speed="interpreted").value
    assert game.bounds(state) == (2, 2)
    assert plain != 2
    assert search(game, state, text, speed="interpreted").value == (plain if text.startswith("minimax") else 2)
    assert Minimax.parameter_help["bounds"] != AlphaBeta.parameter_help["bounds"], "the help says what each does"
