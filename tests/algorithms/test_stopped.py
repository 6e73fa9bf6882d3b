"""The answer of a search that is stopped at any node: a move, and a value with its meaning, or neither."""

import random
from typing import Any

import pytest

from gamesearch import Limits, load, search
from gamesearch.algorithms.alphabeta import AlphaBeta
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.minimax import Minimax
from gamesearch.algorithms.selective.aspiration import aspiration
from gamesearch.game import MAX

GAMES = {
    "tictactoe": "XO./.X./O..",
    "random_tree(branching=3, depth=4, seed=2)": "root",
    "connect4(rows=4, columns=4, connect=3)": "22",
}
EXACT = (
    "minimax",
    "minimax(depth=3)",
    "minimax(deepen=true)",
    "minimax(bounds=true, deepen=true)",
    "alphabeta(depth=3)",
    "alphabeta(table=true, window=null)",
    "alphabeta(deepen=true, table=true, order=killer+history)",
    "alphabeta(fail=hard)",
    "pvs(exact=true, bounds=false)",
    "expectiminimax(deepen=true)",
)
OTHERS = ("pvs", "expectimax", "mcts", "montecarlo", "bestfirst", "beliefs")


def stopped(game: Any, state: Any, text: str, nodes: int) -> SearchResult:
    return search(game, state, text, limits=Limits(nodes=nodes), speed="interpreted")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", [*EXACT, *OTHERS])
def test_a_stopped_search_says_what_it_proves(name: str, text: str) -> None:
    game, source = load(name), random.Random(f"{name} {text}")
    state, algorithm = game.parse(GAMES[name]), load_algorithm(text)
    for nodes in (1, 2, 3, 5, 8, *(source.randrange(9, 300) for _ in range(5))):
        found = stopped(game, state, text, nodes)
        assert (found.value is None) == (found.best is None)
        if found.certainty == "exact" and text != "expectimax":  # its opponent moves at random
            assert found.value == search(game, state, "alphabeta(table=true)", speed="interpreted").value
        if not found.stopped or text in OTHERS or found.value is None:
            continue
        assert found.best in game.steps(state)
        is_deep = algorithm.deepen or algorithm.depth
        plain = "minimax" if not is_deep else f"minimax(depth={found.statistics.depth})"
        true = search(game, state, plain, speed="interpreted").value
        assert isinstance(found.value, float)
        assert isinstance(true, float)
        if found.bound == "exact":
            assert found.value == true
        elif game.player(state) == MAX:
            assert found.value <= true
        else:
            assert found.value >= true


@pytest.mark.parametrize("text", ["minimax", "maxn", "expectiminimax", "alphabeta", "pvs"])
def test_with_a_limit_on_time_the_last_depth_counts(text: str) -> None:
    game = load("yavalath" if text == "maxn" else "tictactoe")
    algorithm = load_algorithm(f"{text}(time=60)")
    assert algorithm.deepen
    found = search(game, game.initial(), algorithm, limits=Limits(nodes=200), speed="interpreted")
    assert found.best is not None
    assert found.value is not None


@pytest.mark.parametrize(
    "game", ["tictactoe", "random_tree(branching=2, depth=5)", "[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]"]
)
def test_deepening_finds_what_one_search_does(game: str) -> None:
    played = load(game)
    text = "minimax" if played.players == 2 else "maxn"
    state = played.parse("XO./.X./O..") if game == "tictactoe" else played.initial()
    for depth in ("2", "full"):
        once, deepened = (
            search(played, state, f"{text}(depth={depth}{more})", speed="interpreted") for more in ("", ", deepen=true")
        )
        assert (once.value, once.best, once.distance) == (deepened.value, deepened.best, deepened.distance)


@pytest.mark.parametrize(
    ("maximizing", "value", "proves"), [(True, -1, False), (True, 1, True), (False, 1, False), (False, -1, True)]
)
def test_moves_that_failed_in_a_window_prove_nothing(maximizing: bool, value: float, proves: bool) -> None:
    """A stopped search whose moves were all worse than its window knows none that is as good as its value."""
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
    """The bounds that a game knows of a position change alphabeta's value to a depth, and not minimax's."""
    game = load("othello(size=4)")
    state = game.parse("OOOX-OXO-XXOXXXO O")
    plain = search(game, state, "minimax(depth=1)", speed="interpreted").value
    assert game.bounds(state) == (2, 2)
    assert plain != 2
    assert search(game, state, text, speed="interpreted").value == (plain if text.startswith("minimax") else 2)
    assert Minimax.parameter_help["bounds"] != AlphaBeta.parameter_help["bounds"], "the help says what each does"
