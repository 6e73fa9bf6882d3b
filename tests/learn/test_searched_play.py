"""Games that a search plays against itself: how they end, and when they are stopped for being too long."""

import random
from typing import Any

import pytest
from match_support import Circle

from gamesearch.learn.searched_play import LONGEST, new_searcher, payoff_of, play_searching


class Walk(Circle):
    """A walk of `length` steps; Max wins after the last step, unless this step leads back to the start.

    If the walk is a circle, the third visit to the start is a draw.
    """

    def __init__(self, length: int, is_circle: bool = False) -> None:
        self.length, self.is_circle = length, is_circle

    def result(self, s: int, m: int) -> int:
        return (s + 1) % self.length if self.is_circle else s + 1

    def terminal(self, s: int) -> bool:
        return s == self.length

    def utility(self, s: int) -> float:
        return 1.0


def first_move(state: Any, past: list[Any], made: int) -> int:
    return 0


@pytest.mark.parametrize(("is_circle", "length", "payoff"), [(False, LONGEST, 1.0), (True, LONGEST // 2, 0.0)])
def test_a_game_that_ends_with_the_last_ply_counts(is_circle: bool, length: int, payoff: float) -> None:
    assert payoff_of(Walk(length, is_circle), random.Random(1), first_move) == payoff
    assert payoff_of(Walk(length + 1, is_circle), random.Random(1), first_move) is None


def test_a_searched_game_that_ends_with_the_last_ply_counts() -> None:
    for length, payoff in ((LONGEST, 1.0), (LONGEST + 1, None)):
        with new_searcher(Walk(length), "interpreted") as searcher:
            played = play_searching(searcher, 1, 0, 0.0, random.Random(1))
        assert (len(played.turns), played.payoff) == (LONGEST, payoff)
