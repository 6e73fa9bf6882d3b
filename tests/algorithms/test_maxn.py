import random

import pytest

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.textbook.many_players import maxn


def random_tree(source: random.Random, players: int, depth: int) -> str:
    if depth == 0 or source.random() < 0.15:
        return "(" + ",".join(str(source.randrange(9)) for _ in range(players)) + ")"
    inside = [random_tree(source, players, depth - 1) for _ in range(source.randint(1, 3))]
    kind = source.randrange(5)
    if kind == 0:
        return "{" + ",".join(inside) + "}"
    return ("" if kind > 1 else f"p{source.randint(1, players)}") + "[" + ",".join(inside) + "]"


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_maxn_agrees_with_the_textbook_at_every_depth(players: int, seed: int) -> None:
    text = random_tree(random.Random(seed), players, 5)
    game = Tree("[" + text + "," + text + "]")
    for depth in range(1, 8):
        result = search(game, game.initial(), f"maxn(depth={depth})", speed="interpreted")
        assert result.value == pytest.approx(maxn(game, game.initial(), depth))


def test_the_textbooks_three_players() -> None:
    game = Tree("[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]")
    result = search(game, game.initial(), "maxn")
    assert (result.value, result.line, result.statistics.nodes) == ((1, 2, 6), (0, 0, 0), 15)
    assert search(game, game.initial(), "maxn", speed="interpreted").statistics.nodes == 15


def test_the_payoffs_of_each_move_are_shown() -> None:
    game = Tree("[(1,2,3),[(4,5,6),(0,9,0)]]")
    result = search(game, game.initial(), "maxn", moves=True, speed="interpreted")
    assert [each.value for each in result.moves] == [(1, 2, 3), (0, 9, 0)]
    assert result.value == (1, 2, 3)


def test_a_stop_is_obeyed_at_chance_nodes_too() -> None:
    game = Tree("{[(1,2,3),(3,2,1)],[(1,1,1),(2,2,2)],{(0,0,0),(1,1,1)}}")
    whole = search(game, game.initial(), "maxn", speed="interpreted")
    for nodes in range(1, whole.statistics.nodes):
        stopped = search(game, game.initial(), "maxn", limits=Limits(nodes=nodes), speed="interpreted")
        assert (stopped.stopped, stopped.statistics.nodes) == ("nodes", nodes)
