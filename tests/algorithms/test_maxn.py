from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.games.tree import Tree


def test_the_textbooks_three_players() -> None:
    game = Tree("[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]")
    result = search(game, game.initial(), "maxn")
    assert (result.value, result.line, result.statistics.nodes) == ((1, 2, 6), (0, 0, 0), 15)
    assert search(game, game.initial(), "maxn", speed="interpreted").statistics.nodes == 15


def test_each_moves_payoffs_are_there() -> None:
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
