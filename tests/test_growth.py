"""The growth of the number of nodes with depth, for one move order and averaged over many move orders."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.study.bench import grow, measure, parse_algorithms, theory_of
from gamesearch.toolkit.derived_games import ShuffledGame
from gamesearch.trace.comparison import record

BEST_FIRST = "random_tree(branching=3, depth=4, order=best-first)"


def grow_tree(text: str, algorithms: str, position: str = "", orders: int = 0, **limits: Any) -> Any:
    game, state = load(text).setup(position)
    return grow(game, state, parse_algorithms(algorithms), Limits(**limits), orders, speed="interpreted")


def test_counted_nodes_of_the_worst_order_agree_with_theory() -> None:
    game = load(BEST_FIRST)
    everything, *_ = theory_of(game, game.initial(), 9)
    worst = grow_tree(BEST_FIRST.replace("best-first", "worst-first"), "alphabeta")[0]
    assert worst.nodes == everything.nodes
    assert theory_of(load("tictactoe"), load("tictactoe").initial(), 3) == []


def test_the_depth_reaches_the_end_of_the_game() -> None:
    whole = grow_tree("[[3,12,8],[2,4,6],[14,5,2]]", "minimax,alphabeta")
    assert [growth.nodes for growth in whole] == [[4, 13], [4, 11]]
    assert len(grow_tree("connect4", "alphabeta", depth=3)[0].rows) == 3
    assert len(grow_tree("tictactoe", "alphabeta(depth=2)")[0].rows) == 2


MEMO = """
TABLE = {}

def memo(game, s, depth):
    if (s, depth) not in TABLE:
        if game.terminal(s) or depth == 0:
            return game.evaluate(s)
        values = [memo(game, game.result(s, m), depth - 1) for m in game.moves(s)]
        TABLE[s, depth] = max(values) if game.player(s) == 0 else min(values)
    return TABLE[s, depth]
"""
MEMO_OF_AN_OBJECT = """
class Memo:
    def __init__(self):
        self.table = {}

    def search(self, game, s, depth):
        if (s, depth) not in self.table:
            if game.terminal(s) or depth == 0:
                return game.evaluate(s)
            values = [self.search(game, game.result(s, m), depth - 1) for m in game.moves(s)]
            self.table[s, depth] = max(values) if game.player(s) == 0 else min(values)
        return self.table[s, depth]
"""


@pytest.mark.parametrize("source", [MEMO, MEMO_OF_AN_OBJECT], ids=["function", "class"])
def test_each_measured_search_begins_without_memory(source: str, tmp_path: Path) -> None:
    game, state = load("tictactoe").setup("X.O/.../...")
    nodes = []
    for depth in range(1, 5):
        path = tmp_path / f"memo{depth}.py"
        path.write_text(source)
        nodes.append(search(game, state, f"{path}(depth={depth})", speed="interpreted").statistics.nodes)
    path = tmp_path / "memo.py"
    path.write_text(source)
    algorithms = parse_algorithms(str(path))
    for _ in range(2):
        (measured,) = measure(game, state, algorithms, Limits(4), speed="interpreted")
        assert measured.runs > 1
        assert measured.result.statistics.nodes == nodes[-1]
        assert measured.result.best is not None
        assert grow(game, state, algorithms, Limits(4), speed="interpreted")[0].nodes == nodes
        assert len(record(game, state, algorithms[0], 4, 1).nodes) == 8


def test_orders_are_equally_likely_and_repeatable() -> None:
    game = load("tictactoe")
    start = game.initial()
    after = [list(ShuffledGame(game, 7).moves(game.result(start, move))) for move in (0, 1)]
    assert [move for move in after[0] if move > 1] != [move for move in after[1] if move > 1]
    with pytest.raises(GamesearchError, match="each order of the moves"):
        search(ShuffledGame(game, 1), start, "alphabeta(depth=2)", speed="compiled")
    game = load("tree([1,2,3])")
    orders = [tuple(ShuffledGame(game, seed).moves(game.initial())) for seed in range(600)]
    assert orders[7] == tuple(ShuffledGame(game, 7).moves(game.initial()))
    drawn = Counter(orders)
    assert {tuple(sorted(order)) for order in drawn} == {tuple(game.moves(game.initial()))}
    assert len(drawn) == 6
    assert all(60 < count < 140 for count in drawn.values())


@pytest.mark.parametrize(
    ("text", "position", "algorithm"),
    [
        ("tictactoe", "X../.O./...", "alphabeta(table=true, bounds=true)"),
        ("pig(target=12)", "", "expectiminimax(depth=4, pruning=star2)"),
        ("tictactoe", "XX./OO./...", "expectimax"),
        ("[(1,2,6),(4,2,3)]", "", "maxn"),
        ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "", "paranoid"),
        ("go(size=2)", "", "alphabeta(depth=3)"),
        ("chess", "", "alphabeta(depth=2)"),
    ],
)
def test_a_shuffled_game_has_the_same_value(text: str, position: str, algorithm: str) -> None:
    game, state = load(text).setup(position)
    values = set()
    for variant in (game, *(ShuffledGame(game, seed) for seed in range(4))):
        result = search(variant, state, algorithm, speed="interpreted")
        values.add(tuple(round(x, 9) for x in result.value) if isinstance(result.value, tuple) else result.value)
    assert len({round(value, 9) if isinstance(value, float) else value for value in values}) == 1
