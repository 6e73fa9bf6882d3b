"""What a trace writes down is what the search did."""

import pytest
from recordings import TWO_PLY, traced

from gamesearch.api import search
from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.registry import load
from gamesearch.trace.node import Node
from gamesearch.trace.tree import Trace

DICE = "[{1/2: [8,9], 1/3: [24,1], 1/6: [-12,3]},{[3,4],[0,1]},{1/2: [2,9], 1/2: 0}]"


def root_of(trace: Trace) -> Node:
    assert trace.shown is not None
    assert trace.shown.root is not None
    return trace.shown.root


def all_nodes(node: Node) -> list[Node]:
    return [node, *(each for child in node.children for each in all_nodes(child))]


RUNS = [
    *[
        (game, algorithm, position)
        for game, position in (("tictactoe", "XX./OX./.OO"), ("tictactoe", "X../.O./..."), (TWO_PLY, ""))
        for algorithm in (
            "minimax",
            "minimax(bounds=true)",
            "alphabeta",
            "alphabeta(fail=hard)",
            "alphabeta(table=true, memory=1)",
            "alphabeta(table=true, memory=1, deepen=true, order=killer+history+previous)",
            "alphabeta(table=true, memory=1, window=null)",
            "alphabeta(bounds=true)",
            "expectiminimax",
            "expectimax",
            "expectimax(pruning=star1)",
        )
    ],
    *[(DICE, f"expectiminimax(pruning={pruning})", "") for pruning in ("none", "star1", "star2")],
    (DICE, "expectiminimax(pruning=star2, table=true, memory=1, deepen=true)", ""),
    ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn", ""),
    ("random_tree(depth=4, chance=true)", "expectiminimax(pruning=star2)", ""),
    ("connect4(rows=4, columns=4)", "alphabeta(depth=5, bounds=true, table=true, memory=1)", ""),
]


@pytest.mark.parametrize(("game", "algorithm", "position"), RUNS)
def test_counts_are_those_of_the_statistics(game: str, algorithm: str, position: str) -> None:
    trace, result = traced(game, algorithm, position)
    counts = result.statistics
    assert (trace.nodes, trace.leaves, trace.cutoffs, trace.table_hits) == (
        counts.nodes,
        counts.leaves,
        counts.cutoffs,
        counts.table_hits,
    )
    assert sum(each.nodes for each in trace.passes) == counts.nodes


@pytest.mark.parametrize(("game", "algorithm", "position"), RUNS)
def test_a_node_counts_what_is_below_it(game: str, algorithm: str, position: str) -> None:
    trace, _ = traced(game, algorithm, position, plies=20, width=1000)
    for node in all_nodes(root_of(trace)):
        assert node.nodes == 1 + sum(child.nodes for child in node.children)
        assert node.visited == len(node.children)


@pytest.mark.parametrize("algorithm", ["alphabeta", "alphabeta(fail=hard)", "alphabeta(table=true, memory=1)"])
@pytest.mark.parametrize("seed", range(8))
def test_bounds_hold_against_minimax(algorithm: str, seed: int) -> None:
    text = f"random_tree(branching=3, depth=4, seed={seed}, values=9)"
    rules, _ = load(text).setup("")
    trace, _ = traced(text, algorithm, plies=9, width=99)
    for node in all_nodes(root_of(trace)):
        if rules.terminal(node.state):
            true = float(rules.utility(node.state))
        else:
            value = search(rules, node.state, "minimax", speed="interpreted").value
            assert isinstance(value, float)
            true = value
        assert isinstance(node.value, float)
        assert {"exact": true == node.value, "lower": true >= node.value, "upper": true <= node.value}[node.bound]


@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
@pytest.mark.parametrize("seed", range(6))
def test_bounds_hold_with_chance(pruning: str, seed: int) -> None:
    text = f"random_tree(branching=2, depth=5, seed={seed}, values=9, chance=true)"
    rules, _ = load(text).setup("")
    trace, _ = traced(text, f"expectiminimax(pruning={pruning})", plies=9, width=99)
    for node in all_nodes(root_of(trace)):
        if rules.terminal(node.state):
            continue
        true = search(rules, node.state, "expectiminimax", speed="interpreted").value
        assert isinstance(node.value, float)
        assert isinstance(true, float)
        close = abs(true - node.value) < 1e-9
        assert close or {"exact": False, "lower": true > node.value, "upper": true < node.value}[node.bound]


def test_the_textbooks_tree() -> None:
    trace, _ = traced(TWO_PLY, "alphabeta")
    root = root_of(trace)
    b, c, d = root.children
    assert (root.side, b.side) == (MAX, MIN)
    assert (root.value, b.value, c.value, d.value) == (3, 3, 2, 2)
    assert (b.bound, c.bound, d.bound) == ("exact", "upper", "exact")
    assert (c.alpha, c.pruned, c.is_cut) == (3, (1, 2), True)
    assert [leaf.value for leaf in d.children] == [14, 5, 2]
    assert (d.is_cut, d.pruned) == (True, ())
    assert all(leaf.kind == "end" and leaf.side is None for leaf in b.children)


def test_only_plies_and_width_are_kept() -> None:
    trace, result = traced("tictactoe", "alphabeta(depth=5)", plies=2, width=2)
    kept = all_nodes(root_of(trace))
    assert max(node.ply for node in kept) == 2
    assert max(len(node.children) for node in kept) == 2
    assert root_of(trace).nodes == result.statistics.nodes


def test_the_best_child_is_kept() -> None:
    trace, result = traced("[[1],[2],[3],[9],[4]]", "minimax", plies=1, width=2)
    assert [child.move for child in root_of(trace).children] == [0, 3]
    assert result.best == 3


def test_iterations_are_told_apart() -> None:
    trace, _ = traced("connect4", "alphabeta(deepen=true, depth=3)")
    assert [(each.depth, each.purpose) for each in trace.passes] == [(1, "search"), (2, "search"), (3, "search")]
    assert trace.shown is trace.passes[-1]
    assert trace.passes[0].root is None


def test_the_search_for_how_soon_is_not_the_tree() -> None:
    trace, result = traced("tictactoe", "alphabeta", "XX./OX./.OO")
    assert result.distance == 1
    assert [each.purpose for each in trace.passes] == ["search", "distance"]
    assert trace.shown is trace.passes[0]


def test_a_stopped_search_has_nodes_without_a_value() -> None:
    trace, result = traced("tictactoe", "minimax", nodes=50)
    assert result.stopped == "nodes"
    unfinished = [node for node in all_nodes(root_of(trace)) if node.is_unfinished]
    assert [node.ply for node in unfinished] == [0, 1, 2, 3]


def test_a_stopped_iteration_leaves_the_one_before() -> None:
    trace, result = traced("connect4", "alphabeta(deepen=true)", nodes=300)
    assert result.stopped == "nodes"
    assert trace.shown is trace.passes[-2]
    assert trace.shown.depth == result.statistics.depth


def test_probes_and_chance() -> None:
    trace, _ = traced(DICE, "expectiminimax(pruning=star2)")
    first = root_of(trace).children[0]
    assert first.side == CHANCE
    probes = [child for child in first.children if child.is_probe]
    assert [child.probability for child in probes] == [1 / 2, 1 / 3, 1 / 6]
    assert all(child.bound == "upper" and child.pruned == (1,) for child in probes)
