"""Values of games with chance and repetition agree with value iteration, programmed from its definition."""

from collections.abc import Iterator

import pytest
from choices import each_speed
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.solvers.solving import solve

WIN, LOSS = 1000, 1001
MOST = 8


class Walk(Game[int]):
    """A walk on a graph: a chance node ends the game with probability 1/5; otherwise it leads to a random place."""

    name = "walk_by_chance"
    chance = True

    def __init__(self, leads: tuple[tuple[int, ...], ...]) -> None:
        self.leads = leads
        self.count = len(leads)

    def initial(self) -> int:
        return self.count

    def player(self, s: int) -> int:
        return CHANCE if s < self.count else MAX if s % 2 == 0 else MIN

    def moves(self, s: int) -> Iterator[int]:
        for m in range(min(2, self.count)):
            yield m

    def outcomes(self, s: int) -> Iterator[tuple[int, float]]:
        yield WIN if s % 3 else LOSS, 0.2
        for place in self.leads[s]:
            yield place, 0.8 / len(self.leads[s])

    def result(self, s: int, m: int) -> int:
        return m if s < self.count else (s + m) % self.count

    def terminal(self, s: int) -> bool:
        return s >= WIN

    def utility(self, s: int) -> int:
        return 1 if s == WIN else -1

    def key(self, s: int) -> int:
        return s


places = st.integers(0, 2 * MOST - 1)
graphs = st.lists(st.sets(places, min_size=1, max_size=3).map(tuple), min_size=1, max_size=MOST)


def game_of(graph: list[tuple[int, ...]]) -> Walk:
    """Return a game on a graph of places: the first half of the places are chance nodes, the rest are decision
    nodes.
    """
    return Walk(tuple(tuple(sorted({place % (2 * len(graph)) for place in each})) for each in graph))


def value_by_sweeps(game: Walk) -> float:
    """Return the value of the start after 300 passes over all places.

    Every two passes reduce the error of the value by at least 20 %.
    """
    values: dict[int, float] = dict.fromkeys(range(2 * game.count), 0.0) | {WIN: 1.0, LOSS: -1.0}
    for _ in range(300):
        values |= {s: value_from(game, s, values) for s in range(2 * game.count)}
    return values[game.initial()]


def value_from(game: Game, s: int, values: dict[int, float]) -> float:
    if game.player(s) == CHANCE:
        return sum(probability * values[game.result(s, outcome)] for outcome, probability in game.outcomes(s))
    best = max if game.player(s) == MAX else min
    return best(values[game.result(s, m)] for m in game.moves(s))


@given(graphs)
def test_iteration_agrees_with_plain_sweeps(graph: list[tuple[int, ...]]) -> None:
    game = game_of(graph)
    assert solve(game, game.initial(), "iteration", speed="interpreted").value == pytest.approx(value_by_sweeps(game))


@each_speed
def test_an_outcome_that_is_repeated_counts_until_it_ends(speed: str) -> None:
    game = Walk(((0,), (1,)))
    assert solve(game, 0, "iteration", speed=speed).value == pytest.approx(-1, abs=1e-11)
    assert solve(game, 1, "iteration", speed=speed).value == pytest.approx(1, abs=1e-11)
