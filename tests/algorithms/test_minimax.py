import pytest

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.api import search
from gamesearch.games.trees.random_tree import RandomTree
from gamesearch.registry import load
from gamesearch.solvers.solving import solve


def test_the_line_leads_to_the_value() -> None:
    game = RandomTree(3, 5, seed=4)
    result = search(game, game.initial(), "minimax", speed="interpreted")
    s = game.initial()
    for move in result.line:
        s = game.result(s, move)
    assert len(result.line) == 5
    assert game.utility(s) == result.value
    assert result.best == result.line[0]


def test_with_bounds_a_node_ends_at_an_immediate_win() -> None:
    game = load("tictactoe")
    s = game.parse("XX./OO./...")
    plain = search(game, s, "minimax(depth=full)", speed="interpreted")
    early = search(game, s, "minimax(depth=full, bounds=true)", speed="interpreted")
    assert early.value == plain.value == 1
    assert (plain.distance, plain.best) == (1, 2)
    assert early.best is not None  # a winning move, perhaps not the fastest
    assert solve(game, game.result(s, early.best), speed="interpreted").value == 1
    assert early.statistics.cutoffs > 0
    assert early.statistics.nodes < plain.statistics.nodes


@pytest.mark.parametrize(
    "text",
    [
        "minimax", "minimax(depth=3, bounds=true)", "alphabeta(depth=full, deepen=true, table=true, memory=8)",
        "alphabeta(order=game+killer, window=null, table=true, distance=false)", "maxn(depth=2)",
        "expectiminimax(pruning=star2, opponent=random)", "expectimax(depth=4)", "random(seed=7)",
    ],
)  # fmt: skip
def test_a_specification_makes_the_same_algorithm_again(text: str) -> None:
    once = load_algorithm(text)
    assert load_algorithm(once.specification).specification == once.specification


def test_every_position_is_random_movers_by_seed() -> None:
    game = load("tictactoe")
    moves = [search(game, game.initial(), "random(seed=3)").best for _ in range(3)]
    assert len(set(moves)) == 1
    assert {search(game, game.initial(), f"random(seed={seed})").best for seed in range(60)} == set(range(9))
