"""Proof-number search gives the same results as the other methods of solving."""

from typing import Any

import pytest
from choices import EVERYTHING
from support import Counters, Greedy, Take

from gamesearch.algorithms.engine.result import NEVER_PROVEN
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.tree_search.node_store import NOTHING
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.graphs.positions import solve_graph
from gamesearch.solvers.proof.best_first import pn
from gamesearch.solvers.proof.provers import TreeProver
from gamesearch.solvers.proof.search import ProofSearch, prover_for
from gamesearch.solvers.proof.tree import Question
from gamesearch.solvers.solving import solve

SMALL = (
    ("nim(heaps=1-2-3)", "interpreted", 30),
    ("hex(size=2, swap=true)", "interpreted", 30),
    ("kayles(rows=7)", "interpreted", 20),
    ("connect4(rows=3, columns=3, connect=3)", "interpreted", 500),
    ("dotsandboxes(rows=1, columns=2)", "interpreted", 100),
    *((f"random_tree(branching={2 + n % 2}, depth={4 - n % 2}, values={2 + n % 7}, seed={n})", "interpreted", 30)
      for n in range(2_000 if EVERYTHING else 4)),
)  # fmt: skip


@pytest.mark.parametrize("search", ["dfpn", "pn", "pn2"])
@pytest.mark.parametrize(("text", "speed", "least"), SMALL)
def test_every_position_of_small_games_has_its_value(text: str, speed: str, least: int, search: str) -> None:
    game = load(text)
    graph = solve_graph(game, [game.initial()], most=20_000)
    runner = Runner(game, speed)
    runner.begin()
    prover = prover_for(runner, ProofSearch(search, memory=16))
    for position in graph.positions[:: 1 if speed == "compiled" else 3]:
        assert prover.value(position.state) == position.value
    assert len(graph.positions) >= least


def test_proof_numbers_agree_with_the_definition() -> None:
    """The proof number of a Max node is the minimum over all moves, and the disproof number is their sum."""
    game = load("hex(size=3)")
    for nodes in (2, 5, 20, 50):
        runner = Runner(game, "interpreted")
        runner.begin()
        prover = TreeProver(runner, 1)
        held = RecordHandle(Question, False)
        held.write(goal=game.MAXSCORE)
        s, _, search = prover.arguments(game.initial(), held.record, False)
        pn(game, s, nodes, search)
        tree = search.tree
        assert tree.used.nodes >= nodes
        for number in range(tree.used.nodes):
            node = tree.nodes[number]
            if number == 0:
                below = [tree.nodes[tree.edges[i].child] for i in range(node.first, node.first + node.count)]
                assert node.proof == min(each.proof for each in below)
                assert node.disproof == min(NEVER_PROVEN, sum(each.disproof for each in below))
            if node.count == NOTHING:
                assert (node.proof, node.disproof) in ((1, 1), (0, NEVER_PROVEN), (NEVER_PROVEN, 0))


def test_pn2_stores_fewer_nodes_and_visits_more() -> None:
    game = load("connect4(rows=3, columns=3, connect=3)")
    kept, looked_at = {}, {}
    for search in ("pn", "pn2"):
        runner = Runner(game, "interpreted")
        runner.begin()
        prover = prover_for(runner, ProofSearch(search, memory=4))
        assert isinstance(prover, TreeProver)
        assert prover.can_get(game.initial(), prover.payoffs.index(0.0))
        prover.stores[0].note_used()
        kept[search], looked_at[search] = prover.stores[0].used_nodes, int(runner.counts.nodes)
    assert kept["pn2"] < kept["pn"] == looked_at["pn"] < looked_at["pn2"]


@pytest.mark.parametrize(("search", "said"), [("pn", "use proof.search=pn2."), ("pn2", "or leave out search=")])
def test_a_full_tree_is_an_error(search: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.algorithms.tree_search.node_store.MEGABYTE", 1 << 12)
    game = load("tictactoe")
    with pytest.raises(GamesearchError, match=said):
        solve(game, game.initial(), f"proof(search={search}, memory=2)", speed="interpreted")


class Points(Take):
    """The game Take in which every result is a quarter of a win for Max."""

    def utility(self, s: Counters) -> float:
        return 0.25


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Greedy(5), "does not declare that its payoffs are whole numbers"),
        (Points(4, least=0, greatest=1), "payoffs other than win, loss and draw"),
    ],
)
def test_unsuitable_games_are_refused(game: Any, said: str) -> None:
    with pytest.raises(GamesearchError, match=said):
        solve(game, game.initial(), "proof", speed="interpreted")
