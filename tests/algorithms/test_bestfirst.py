"""Best-first minimax expands the nodes that its definition requires, and its proven values are minimax values."""

from typing import Any

import pytest
from hypothesis import given, settings
from support import trees

from gamesearch.api import search, searcher
from gamesearch.game import MAX, Game
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook

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


@pytest.mark.parametrize(
    ("text", "expansions"), [("connect4", 40), ("othello", 12), ("gomoku(size=7)", 8), ("kalah", 25)]
)
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
def test_it_is_minimax_on_closed_trees(text: str) -> None:
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
