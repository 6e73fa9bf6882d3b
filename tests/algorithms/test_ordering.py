"""Moves in the order in which they are searched."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gamesearch.algorithms.ordering import generate, new_ordering, parse_order, sort_moves
from gamesearch.algorithms.workspace import new_workspace
from gamesearch.games.tree import Tree


class Scored(Tree):
    """A tree of one ply whose moves are given scores."""

    def __init__(self, scores: list[float]) -> None:
        super().__init__(str([0] * len(scores)))
        self.scores = scores

    def order(self, s: Any, m: int) -> float:
        return self.scores[m]


def in_order(scores: list[float]) -> list[int]:
    """The moves as alpha-beta searches them, when the first does not cut."""
    game, workspace = Scored(scores), new_workspace(is_compiled=False)
    workspace.top = 3
    ordering = new_ordering(parse_order("game"), is_compiled=False)
    count, first = generate(game, game.initial(), 0, -1, workspace, ordering)
    assert (count, workspace.top) == (len(scores), 3 + len(scores))
    best = workspace.moves[first]
    sort_moves(3, first, 3 + count, workspace)
    assert workspace.moves[3] == best
    moves: list[int] = workspace.moves[3 : 3 + count]
    return moves


@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=30))
def test_the_best_come_first_and_equals_keep_their_order(scores: list[float]) -> None:
    assert in_order(scores) == sorted(range(len(scores)), key=lambda m: -scores[m])


@given(st.lists(st.floats(), min_size=1, max_size=30))
def test_each_move_comes_once_whatever_its_score(scores: list[float]) -> None:
    assert sorted(in_order(scores)) == list(range(len(scores)))
