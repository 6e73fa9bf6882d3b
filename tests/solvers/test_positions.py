"""Every value in the solved graph of a small game agrees with the textbook function and with `solve`."""

import pytest
from support import Greedy, Maze

from gamesearch.api import solve
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.graphs.positions import BEST, EQUAL, OUTCOME, WORSE, PositionGraph, solve_graph


def graph_of(specification: str, *texts: str, most: int = 300) -> PositionGraph:
    game, state = load(specification).setup(texts[0] if texts else "")
    return solve_graph(game, [state, *map(game.parse, texts[1:])], most)


def test_one_heap_of_six_with_either_player_to_start() -> None:
    graph = graph_of("nim(heaps=6, max_take=3)", "6", "6 min")
    assert (len(graph.positions), graph.moves, graph.starts) == (14, 30, 2)
    found = {graph.game.format(p.state): (p.value, p.distance, p.best) for p in graph.positions}
    for heap in range(7):  # the player to move loses if the heap is a multiple of 4
        wins = heap % 4 != 0
        assert found[f"{heap}"][0] == (1 if wins else -1)
        assert found[f"{heap} min"][0] == (-1 if wins else 1)
        if wins:
            assert found[f"{heap}"][2] == found[f"{heap} min"][2] == [f"a{heap % 4}"]
    assert found["4"][1:] == (2, ["a1", "a2", "a3"])
    graph = graph_of("nim(heaps=6, max_take=3)", "6", "5 min", "6")  # a start may follow from another
    assert (len(graph.positions), graph.starts) == (12, 2)
    assert [graph.game.format(p.state) for p in graph.positions[:2]] == ["6", "5 min"]


@pytest.mark.parametrize(
    "text",
    [
        "nim(heaps=1-2-3)", "nim(heaps=6, max_take=3, misere=true)", "greedy", "pig(target=3)", "go(2, superko=false)",
        "tree([{1/2: [8,9], 1/2: [24,1]},{[3,4],[0,1]}])", *(f"maze {seed}" for seed in range(6)),
    ],
)  # fmt: skip
def test_each_position_agrees_with_solve(text: str) -> None:
    game = Greedy(4) if text == "greedy" else Maze(int(text[5:])) if text.startswith("maze") else load(text)
    graph = solve_graph(game, [game.initial()], 300)
    for position in graph.positions[::5]:
        solution = solve(game, position.state, speed="interpreted")
        assert position.value == pytest.approx(solution.value)
        if position.player is not None:
            assert position.distance == solution.distance
            assert position.best == [game.move_name(position.state, move) for move in solution.best]


def test_each_move_has_a_class() -> None:
    graph = graph_of("tictactoe", "XX./OO./..X")
    qualities = {edge.name: edge.quality for edge in graph.positions[0].edges}
    assert qualities == {"6": BEST, "3": EQUAL, "7": WORSE, "8": WORSE}


def test_outcomes_have_probabilities() -> None:
    graph = graph_of("tree", "{1/2: 8, 1/3: 24, 1/6: -12}")
    start = graph.positions[0]
    assert start.value == pytest.approx(10)
    assert [edge.probability for edge in start.edges] == pytest.approx([1 / 2, 1 / 3, 1 / 6])
    assert {edge.quality for edge in start.edges} == {OUTCOME}
    assert start.best == []


@pytest.mark.parametrize(
    ("specification", "text", "said"),
    [
        ("tictactoe", "", "tictactoe has 5,478 positions from here, but the graph may have at most 69"),
        ("pig", "", "pig has more than 10,000 positions from here"),
        ("go", "", "moves and values of go depend on earlier positions"),
        ("tree", "[(1,2,6),(4,2,3)]", "graph` is for two players, but tree has 3"),
    ],
)
def test_games_without_a_graph_are_refused(specification: str, text: str, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        graph_of(specification, text, most=69)
    assert len(graph_of("tictactoe", "XX./OO./...", most=69).positions) == 69
