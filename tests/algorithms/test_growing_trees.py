"""All searches that grow a tree prove only correct values, observe limits, and reuse the tree in the next search."""

from typing import Any

import pytest
from hypothesis import given, settings
from support import Corridor, Maze, Trap, textbook_on_paths, trees

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search, searcher
from gamesearch.game import MAX, Game
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook

PROVING = ("bestfirst(expansions=100000)", "mcts(playouts=20000)")
"""Searches that continue until the value of the root is proven."""
BELIEFS = ("beliefs(expansions=2000, error=0.4)", "beliefs(leaves=playouts, playouts=3, expansions=2000)")


@pytest.mark.parametrize("algorithm", [*PROVING, *BELIEFS])
def test_a_win_in_one_move_is_proven(algorithm: str) -> None:
    game = load("tictactoe")
    found = search(game, game.parse("XX./OO./..."), algorithm, speed="interpreted")
    assert (found.value, found.best, found.distance, found.bound) == (1, 2, 1, "exact")
    assert not found.is_expected


@pytest.mark.parametrize("algorithm", PROVING)
def test_the_faster_of_two_proven_wins_is_played(algorithm: str) -> None:
    """Both wins pay less than the greatest payoff, 9. A draw pays 4.5."""
    game = load("[[6],[[[6]]],[0,9]]")
    found = search(game, game.initial(), algorithm, speed="interpreted")
    assert (found.value, found.best) == (6, game.parse_move(game.initial(), "a"))


@pytest.mark.parametrize("kind", [Maze, Trap])
@pytest.mark.parametrize("algorithm", [*PROVING, *BELIEFS])
def test_certain_values_are_right_if_positions_repeat(algorithm: str, kind: Any) -> None:
    for seed in range(15):
        game = kind(seed, places=6)
        state = game.initial()
        if game.terminal(state) or not game.steps(state):
            continue
        found = search(game, state, algorithm, speed="interpreted")
        if algorithm in PROVING or found.sees_the_end:
            assert (found.value, found.bound) == (textbook_on_paths(game, state, 50), "exact")
        else:
            assert found.bound == "estimate"


@pytest.mark.parametrize("algorithm", PROVING)
def test_a_move_back_to_an_earlier_position_is_forbidden(algorithm: str) -> None:
    game = Corridor(6, 2)
    before, state = game.initial(), game.result(game.initial(), 1)
    found = search(game, state, algorithm, past=[before], speed="interpreted")
    assert (found.best, found.value) == (1, textbook_on_paths(game, state, 20, (before,)))


@pytest.mark.parametrize("algorithm", ["bestfirst", "beliefs(error=5, leaves=payoffs)"])
def test_an_expanded_node_does_not_count_as_a_leaf(algorithm: str) -> None:
    game = load("[[99,1000,1000,1000],[100,101,102,100]]")
    counts = search(game, game.initial(), algorithm, speed="interpreted").statistics
    assert (counts.nodes, counts.leaves) == (11, 8)


@pytest.mark.parametrize("nodes", [7, 8, 60])
@pytest.mark.parametrize("algorithm", ["bestfirst", "beliefs(error=1)", "beliefs(leaves=playouts)"])
def test_a_node_limit_holds(algorithm: str, nodes: int) -> None:
    """Only the last random game may exceed the node limit. The search needs 8 nodes for a value: the root of Connect
    Four and the positions after its seven moves."""
    game = load("connect4")
    found = search(game, game.initial(), algorithm, limits=Limits(nodes=nodes), speed="interpreted")
    assert found.statistics.nodes <= nodes + (42 if "playouts" in algorithm else 0)
    assert found.stopped == "nodes"
    assert (found.best is None) == (found.value is None) == (nodes < 8)


@pytest.mark.parametrize(
    "algorithm",
    [
        "bestfirst(expansions=40)",
        "mcts(playouts=400, solver=false)",
        "mcts(playouts=400, transpositions=true)",
        "beliefs(expansions=30, error=1)",
        "beliefs(leaves=playouts, expansions=30)",
    ],
)
def test_the_subtree_after_a_move_is_kept(algorithm: str) -> None:
    game = load("tictactoe") if algorithm.startswith("mcts") else load("kalah(pits=3, seeds=2)")
    with searcher(game, algorithm, speed="interpreted") as kept:
        first = kept.search(game.initial())
        runner: Any = kept.runner_for(game.initial())
        store = runner.store
        store.note_used()

        def below(number: int) -> Any:
            node, edges = store.nodes[number], store.edges_of([number]).tolist()
            fields = [node[name].tolist() for name in store.nodes.dtype.names if name not in ("first", "key")]
            moves = [[store.edges[place][name].tolist() for name in store.edges.dtype.names[2:]] for place in edges]
            children = [store.edges["child"][place] for place in edges]
            return fields, moves, [below(child) if child >= 0 else None for child in children]

        after = game.result(game.initial(), first.line[0])
        before, nodes = below(runner.child(0, game.initial(), after)), store.used_nodes
        runner.start(kept.algorithm.limits(game, Limits()), past=[game.initial()])
        assert runner.root_for(after) == 0
        assert below(0) == before
        assert 1 < store.used_nodes < nodes
        again = kept.search(after, past=[game.initial()])
    assert again.best in game.steps(after)
    assert again.statistics.nodes > 1


# Best-first minimax. ------------------------------------------------------------------------------
ENOUGH = "bestfirst(expansions=100000)"


class Definition:
    """Best-first minimax by definition: expand the leaf of the principal variation, then back up minimax values."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game, self.state, self.nodes = game, state, 1
        self.children: dict[int, Any] = {}
        self.value = float(game.evaluate(state))

    def expand(self) -> None:
        if not self.children:
            for move in self.game.moves(self.state):
                self.children[move] = Definition(self.game, self.game.result(self.state, move))
        else:
            self.children[self.best].expand()
        self.value = self.children[self.best].value
        self.nodes = 1 + sum(each.nodes for each in self.children.values())

    @property
    def best(self) -> int:
        choose = max if self.game.player(self.state) == MAX else min
        return choose(self.children, key=lambda move: float(self.children[move].value))


@pytest.mark.parametrize(("text", "expansions"), [("othello", 12), ("kalah", 25)])
def test_it_expands_the_end_of_the_best_line(text: str, expansions: int) -> None:
    game = load(text)
    wanted = Definition(game, game.initial())
    for _ in range(expansions):
        wanted.expand()
    found = search(game, game.initial(), f"bestfirst(expansions={expansions})", speed="interpreted")
    assert (found.value, found.statistics.nodes, found.best) == (wanted.value, wanted.nodes, wanted.best)
    assert {each.move: each.value for each in found.moves} == {m: c.value for m, c in wanted.children.items()}
    assert (found.bound, found.sees_the_end, found.stopped) == ("estimate", False, "")


@settings(max_examples=60)
@given(trees())
def test_on_small_trees_best_first_search_finds_the_minimax_value(text: str) -> None:
    game, state = load("tree").setup(f"[{text}]")
    found = search(game, state, ENOUGH, speed="interpreted")
    assert (found.value, found.bound, found.sees_the_end) == (textbook(game, state, 99), "exact", True)
    assert textbook(game, game.result(state, found.best or 0), 99) == found.value
    for each in found.moves:  # a move that cannot be the best keeps its estimate, which may be wrong
        assert game.MINSCORE <= each.value <= game.MAXSCORE


def test_a_full_tree_stops_the_search() -> None:
    game = load("nim(heaps=60-60-60)")
    with searcher(game, "bestfirst(memory=1, time=60)", speed="interpreted") as kept:
        found = kept.search(game.initial())
        store = kept.runner_for(game.initial()).store  # type: ignore[attr-defined]
    assert found.stopped == "memory"
    assert store.used_nodes + 180 > len(store.nodes) or store.used_edges + 180 > len(store.edges)
    assert found.best is not None
