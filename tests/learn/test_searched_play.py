"""Games that a search plays against itself: how they end, and when they are stopped for being too long."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from gamesearch.game import REPETITION_DRAWS, Game
from gamesearch.learn.searched_play import LONGEST, new_searcher, payoff_of, play_searching


class Walk(Game[int]):
    """The players take turns to make steps; Max wins after the last step."""

    def __init__(self, length: int) -> None:
        self.length = length

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return s % 2

    def moves(self, s: int) -> Iterator[int]:
        yield 0

    def result(self, s: int, m: int) -> int:
        return s + 1

    def terminal(self, s: int) -> bool:
        return s == self.length

    def utility(self, s: int) -> float:
        return 1.0


class Circle(Walk):
    """The game Walk, but the last step leads back to the start; the third visit to the start is a draw."""

    repetition = REPETITION_DRAWS

    def result(self, s: int, m: int) -> int:
        return (s + 1) % self.length

    def terminal(self, s: int) -> bool:
        return False


def first_move(state: Any, past: list[Any], made: int) -> int:
    return 0


@pytest.mark.parametrize(("kind", "length", "payoff"), [(Walk, LONGEST, 1.0), (Circle, LONGEST // 2, 0.0)])
def test_a_game_that_ends_with_the_last_ply_counts(kind: type[Walk], length: int, payoff: float) -> None:
    assert payoff_of(kind(length), random.Random(1), first_move) == payoff
    assert payoff_of(kind(length + 1), random.Random(1), first_move) is None


def test_a_searched_game_that_ends_with_the_last_ply_counts() -> None:
    for length, payoff in ((LONGEST, 1.0), (LONGEST + 1, None)):
        with new_searcher(Walk(length), "interpreted") as searcher:
            played = play_searching(searcher, 1, 0, 0.0, random.Random(1))
        assert (len(played.turns), played.payoff) == (LONGEST, payoff)
