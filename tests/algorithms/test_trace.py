"""The recording of a search agrees with the result of the search."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from recordings import TWO_PLY, near_the_root, record_twice, recording_of

from gamesearch.game import Game
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook
from gamesearch.trace.recording import RecordedNode, Recording

PRUNINGS = ("none", "star1", "star2")
DICE = "[{1/2: [8,9], 1/3: [24,1], 1/6: [-12,3]},{[3,4],[0,1]},{1/2: [2,9], 1/2: 0}]"


def root_of(recording: Recording) -> RecordedNode:
    assert recording.root is not None
    return recording.root


def all_nodes(recording: Recording) -> list[RecordedNode]:
    """Return all nodes in the tree of a recording."""
    return list(recording.below(root_of(recording).number))


def state_at(game: Game, recording: Recording, node: RecordedNode) -> Any:
    """Return the state of a node, reached by the moves from the root to the node."""
    state = game.initial()
    for each in recording.path(node.number)[1:]:
        state = next(game.result(state, step) for step in game.steps(state) if game.move_name(state, step) == each.move)
    return state


RUNS = [
    *[
        (game, algorithm, position)
        for game, position in (("tictactoe", "XX./OX./.OO"), ("tictactoe", "X../.O./..X"), (TWO_PLY, ""))
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
    *[(DICE, f"expectiminimax(pruning={pruning})", "") for pruning in PRUNINGS],
    (DICE, "expectiminimax(pruning=star2, table=true, memory=1, deepen=true)", ""),
    ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "maxn", ""),
    ("random_tree(depth=4, chance=true)", "expectiminimax(pruning=star2)", ""),
    ("connect4(rows=4, columns=4)", "alphabeta(depth=5, bounds=true, table=true, memory=1)", ""),
]


@pytest.mark.parametrize(("game", "algorithm", "position"), RUNS)
def test_a_recording_agrees_with_the_statistics_and_with_its_part_near_the_root(
    game: str, algorithm: str, position: str
) -> None:
    tree, whole, result = record_twice(game, algorithm, position, plies=3, width=2, most=1_000_000)
    counts, events = result.statistics, Counter(event["event"] for event in whole.events)
    leaves = sum(node.kind in ("end", "estimate", "stuck") for node in whole.nodes.values())
    assert (len(whole.nodes), leaves) == (counts.nodes, counts.leaves)
    assert (events["cutoff"] + events["bounds"], events["table"]) == (counts.cutoffs, counts.table_hits)
    roots = [whole.nodes[each.root] for each in whole.iterations if each.root is not None]
    assert sum(root.nodes for root in roots) == counts.nodes
    assert not any(whole.hidden_nodes(node) for node in all_nodes(whole))
    assert root_of(tree).number == root_of(whole).number
    for node in all_nodes(tree):
        other = whole.nodes[node.number]
        others = {"pruned"} if node.is_probe else set()
        assert facts(node, others) == facts(other, others)
        if node.ply < 3:
            assert (node.children, node.best_child) == (other.children, other.best_child)
            kept = [child.number for child in tree.children(node)]
            assert kept == [child.number for child in whole.children(other, width=2)]


@pytest.mark.parametrize(
    ("text", "algorithms"),
    [
        ("branching=3, depth=4", ("alphabeta", "alphabeta(fail=hard)", "alphabeta(table=true, memory=1)")),
        (
            "branching=2, depth=5, chance=true",
            [f"expectiminimax(pruning={each})" for each in ("none", "star1", "star2")],
        ),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_the_bound_of_each_node_holds(text: str, algorithms: Sequence[str], seed: int) -> None:
    text = f"random_tree({text}, seed={seed}, values=9)"
    rules = load(text)
    for algorithm in algorithms:
        recording = recording_of(text, algorithm)
        for node in all_nodes(recording):
            true = textbook(rules, state_at(rules, recording, node), 9)
            assert isinstance(node.value, int | float)
            is_close = abs(true - node.value) < 1e-9
            assert is_close or {"exact": False, "lower": true > node.value, "upper": true < node.value}[node.bound]


def test_the_textbooks_tree() -> None:
    recording = near_the_root(TWO_PLY, "alphabeta")
    root = root_of(recording)
    b, c, d = recording.children(root)
    assert (root.side, b.side) == ("Max", "Min")
    assert (root.value, b.value, c.value, d.value) == (3, 3, 2, 2)
    assert (b.bound, c.bound, d.bound) == ("exact", "upper", "exact")
    assert (c.window, c.pruned, c.is_cut) == ([3, None], ["b", "c"], True)
    assert c.refuted == {"node": 0, "move": "a", "value": 3, "shown": "3"}
    assert [leaf.value for leaf in recording.children(d)] == [14, 5, 2]
    assert (d.is_cut, d.pruned) == (True, [])
    assert all(leaf.kind == "end" and leaf.side == "end" for leaf in recording.children(b))


def facts(node: RecordedNode, others: set[str]) -> dict[str, Any]:
    """Return the fields of a node that do not depend on the number of nodes recorded."""
    others = others | {"position", "board", "children", "best_child", "first_event", "last_event"}
    return {name: getattr(node, name) for name in RecordedNode.__slots__ if name not in others}


def test_only_plies_and_width_are_kept() -> None:
    recording, _, result = record_twice("tictactoe", "alphabeta(depth=5)", plies=2, width=2)
    kept = all_nodes(recording)
    assert len(kept) == len(recording.nodes)
    assert max(node.ply for node in kept) == 2
    assert max(len(recording.children(node)) for node in kept) == 2
    assert root_of(recording).nodes == result.statistics.nodes
    assert not recording.events


def test_the_best_child_is_kept() -> None:
    recording, _, result = record_twice("[[1],[2],[3],[9],[4]]", "minimax", plies=1, width=2)
    assert [child.move for child in recording.children(root_of(recording))] == ["a", "d"]
    assert result.best == 3


def test_iterations_are_distinguished() -> None:
    recording = near_the_root("connect4", "alphabeta(deepen=true, depth=3)")
    iterations = recording.iterations
    assert [(each.depth, each.purpose) for each in iterations] == [(1, "search"), (2, "search"), (3, "search")]
    assert root_of(recording).number == iterations[-1].root
    assert iterations[0].root is None


def test_the_last_iteration_is_shown_even_if_it_is_not_recorded_completely() -> None:
    recording = near_the_root("tictactoe", "alphabeta(deepen=true, depth=4)", plies=3, width=99)
    assert root_of(recording).number == recording.iterations[-1].root


def test_the_recorded_tree_is_not_that_of_the_search_for_the_distance() -> None:
    recording, _, result = record_twice("tictactoe", "alphabeta", "XX./OX./.OO")
    assert result.distance == 1
    assert [each.purpose for each in recording.iterations] == ["search", "distance"]
    assert root_of(recording).number == recording.iterations[0].root


def test_probes_of_star2_are_recorded_with_their_probabilities() -> None:
    recording = near_the_root(DICE, "expectiminimax(pruning=star2)")
    first = recording.children(root_of(recording))[0]
    assert first.side == "chance"
    probes = [child for child in recording.children(first) if child.is_probe]
    assert [child.chance for child in probes] == [1 / 2, 1 / 3, 1 / 6]
    assert all(child.bound == "upper" and child.pruned == ["b"] for child in probes)
