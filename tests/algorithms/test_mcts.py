"""Monte Carlo tree search converges to the minimax value, and its proven values agree with `solve`."""

import threading
from typing import Any

import pytest
from support import facts, playout

from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.thread_pool import IDLE
from gamesearch.algorithms.tree_search import node_store
from gamesearch.api import search, searcher, solve
from gamesearch.game import Game
from gamesearch.registry import load

SHARED = "tictactoe"
"""The game of both tests with threads; tests/test_speeds.py compiles its rules, too."""


def best_moves(game: Game, state: Any) -> tuple[int, ...]:
    """Return all moves whose value is the value of the position."""
    solution = solve(game, state, speed="interpreted")
    return tuple(each.move for each in solution.moves if each.value == solution.value)


@pytest.mark.parametrize(("text", "plies"), [("tictactoe", 3), ("nim(heaps=1-2-2)", 1)])
def test_without_proofs_the_tree_converges_to_minimax(text: str, plies: int) -> None:
    """More playouts find the best move, and their average is closer to the true value."""
    game = load(text)
    state = playout(game, 0)[plies]
    solution = solve(game, state, speed="interpreted")
    errors = []
    for playouts in (40, 2000):
        found = search(game, state, f"mcts(playouts={playouts}, solver=false, seed=2)", speed="interpreted")
        assert isinstance(found.value, float)
        errors.append(2 * abs(found.value - float(solution.value)) / (game.MAXSCORE - game.MINSCORE))
    assert found.best in best_moves(game, state)
    assert errors[1] <= max(0.12, errors[0])
    assert errors[1] < 0.3


def test_each_of_three_players_maximizes_its_own_payoff_in_the_tree() -> None:
    text = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
    game = load("tree")
    played, state = game.setup(text)
    found = search(played, state, "mcts(playouts=3000, exploration=0.2)", speed="interpreted")
    wanted = search(played, state, "maxn", speed="interpreted")
    assert found.best == wanted.best
    assert found.value == pytest.approx(wanted.value, abs=0.6)
    assert found.bound == "estimate"


def test_a_tree_of_another_position_is_dropped() -> None:
    game = load(SHARED)
    state, other = game.parse("X../.../..."), game.parse("..X/.O./...")
    with searcher(game, "mcts(playouts=200)", speed="interpreted") as kept:
        kept.search(state)
        again = kept.search(other)
    assert facts(again) == facts(search(game, other, "mcts(playouts=200)", speed="interpreted"))


def test_only_positions_with_the_same_legal_moves_are_transpositions() -> None:
    """In Kayles, positions with the same rows of pins in another order have equal keys but different legal moves, so
    they must not share a node of the tree."""
    game = load("kayles(rows=7)")
    start = game.initial()
    found = search(game, start, "mcts(transpositions=true, playouts=1500)", speed="interpreted")
    assert found.statistics.table_hits > 100
    assert (found.value, found.bound) == (solve(game, start, speed="interpreted").value, "exact")
    for move in found.line:
        assert move in game.steps(start)
        start = game.result(start, move)


def test_a_tree_that_is_full_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_store, "MEGABYTE", 1 << 16)
    game = load(SHARED)
    with searcher(game, "mcts(playouts=3000, memory=1, solver=false)", speed="interpreted") as kept:
        found = kept.search(game.initial())
        runner: Any = kept.runner_for(game.initial())
        full = runner.store.used_nodes == len(runner.store.nodes), runner.store.used_edges + 9 > len(runner.store.edges)
    assert any(full)
    assert found.tree_is_full
    assert not found.stopped
    assert found.statistics.leaves == sum(each.visits for each in found.moves) == 3000
    assert found.best == 4


def test_widening_follows_the_order() -> None:
    game = load("othello(size=4)")
    narrow = search(game, game.initial(), "mcts(playouts=300, widening=0.1, solver=false)", speed="interpreted")
    wide = search(game, game.initial(), "mcts(playouts=300, solver=false)", speed="interpreted")
    assert len(narrow.moves) < len(wide.moves)


@pytest.mark.parametrize(("text", "rave"), [("othello(size=4)", 0), ("go(size=4)", 20)])
def test_virtual_playouts_follow_the_order(text: str, rave: int) -> None:
    """The first playout makes the move that `order` rates best. If the prior is large, so do all later playouts,
    because the virtual playouts outweigh the real playouts."""
    game = load(text)
    s = game.result(game.initial(), next(iter(game.moves(game.initial()))))
    first = max(game.order(s, m) for m in game.moves(s))
    for playouts in (1, 60):
        options = f"playouts={playouts}, prior=10000, rave={rave}, exploration=0, solver=false"
        found = search(game, s, f"mcts({options})", speed="interpreted")
        assert sum(each.visits for each in found.moves) == playouts, "virtual playouts are not counted"
        assert {game.order(s, each.move) for each in found.moves if each.visits} == {first}


@pytest.mark.parametrize("options", ["", ", rave=50, wins=0.5"])
def test_every_edge_counts_who_won(options: str) -> None:
    """A win pays 1, a draw 0 and a loss -1, so the wins of an edge follow from its total payoff and its visits."""
    game = load(SHARED)
    with searcher(game, f"mcts(playouts=300, seed=2{options})", speed="interpreted") as kept:
        kept.search(game.initial())
        store, _, edges = tree_of(kept, game)
        for place, edge in enumerate(edges):
            assert 2 * edge["wins"] == store.totals[place] + edge["visits"]
            assert 2 * edge["amaf_wins"] == edge["amaf_total"] + edge["amaf_visits"]
        assert any(0 < edge["wins"] < edge["visits"] for edge in edges)
        assert bool(options) == any(edge["amaf_visits"] for edge in edges)


# Several threads. --------------------------------------------------------------------------------
threaded = pytest.mark.xdist_group(SHARED)


def tree_of(kept: Any, game: Game) -> Any:
    """Return the nodes and edges of the tree that a searcher keeps between searches."""
    store = kept.runner_for(game.initial()).store
    store.note_used()
    return store, store.nodes[: store.used_nodes], store.edges[: store.used_edges]


@threaded
def test_threads_grow_one_tree_without_a_torn_entry() -> None:
    """The tree contains all playouts and no virtual losses, and all its counts agree."""
    game = load(SHARED)
    options = "playouts=9000, solver=false, memory=32, exploration=2"
    with searcher(game, f"mcts({options}, threads=3)", speed="compiled") as kept:
        for played in (9000, 18000):  # the second search continues with the tree of the first search
            found = kept.search(game.initial())
            store, nodes, edges = tree_of(kept, game)
            assert found.statistics.threads == 3
            assert sum(each.visits for each in found.moves) == played == nodes["visits"][0]
            for number in range(len(nodes)):
                below = store.edges_of([number])
                inside = int(edges["visits"][below].sum())
                # A new node gets one playout, or more if several threads reach it before its first playout ends.
                assert 0 <= nodes["visits"][number] - inside <= 3 or nodes["player"][number] < 0
                for place in below[edges["child"][below] >= 0]:
                    assert nodes["visits"][edges["child"][place]] == edges["visits"][place] > 0
                    assert abs(store.totals[place]) <= edges["visits"][place]
                    assert store.totals[place] == int(store.totals[place])
        assert found.best == 4


@threaded
def test_threads_keep_limits_prove_and_stop() -> None:
    game = load(SHARED)
    state = game.parse("XO./.../...")
    proven = search(game, state, "mcts(playouts=100000, threads=3)", speed="compiled")
    assert (proven.value, proven.bound) == (1, "exact")
    assert proven.best in best_moves(game, state)
    limited = search(game, state, "mcts(solver=false, threads=3)", limits=Limits(nodes=60000), speed="compiled")
    assert limited.stopped == "nodes"
    assert 60000 <= limited.statistics.nodes <= 60000 + 3 * 10
    working = {each for each in threading.enumerate() if each.name != IDLE}
    timed = search(game, state, "mcts(solver=false, threads=3, memory=1)", limits=Limits(time=0.2), speed="compiled")
    assert timed.stopped == "time"
    assert timed.statistics.leaves == sum(each.visits for each in timed.moves)
    assert {each for each in threading.enumerate() if each.name != IDLE} <= working
