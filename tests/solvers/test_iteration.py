"""Values of games with chance and repetition agree with value iteration, programmed from its definition."""

from collections.abc import Iterator

import numpy as np
import pytest
from choices import each_speed
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.solvers.graphs.graph import GraphArrays
from gamesearch.solvers.graphs.iteration import find_components, new_components
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


graphs = st.lists(st.sets(st.integers(0, 2 * MOST - 1), min_size=1, max_size=3), min_size=1, max_size=MOST)
"""The places to which each chance node leads; these numbers are reduced to the number of places."""


def value_by_sweeps(game: Walk) -> float:
    """Return the value of the start after 300 passes, of which every two reduce the error by at least 20 %."""
    values: dict[int, float] = dict.fromkeys(range(2 * game.count), 0.0) | {WIN: 1.0, LOSS: -1.0}

    def value_from(s: int) -> float:
        if game.player(s) == CHANCE:
            return sum(probability * values[game.result(s, outcome)] for outcome, probability in game.outcomes(s))
        best = max if game.player(s) == MAX else min
        return best(values[game.result(s, m)] for m in game.moves(s))

    for _ in range(300):
        values |= {s: value_from(s) for s in range(2 * game.count)}
    return values[game.initial()]


@given(graphs)
def test_iteration_agrees_with_plain_sweeps(graph: list[set[int]]) -> None:
    game = Walk(tuple(tuple(sorted({place % (2 * len(graph)) for place in each})) for each in graph))
    assert solve(game, game.initial(), "iteration", speed="interpreted").value == pytest.approx(value_by_sweeps(game))


@each_speed
def test_an_outcome_that_is_repeated_counts_until_it_ends(speed: str) -> None:
    game = Walk(((0,), (1,)))
    assert solve(game, 0, "iteration", speed=speed).value == pytest.approx(-1, abs=1e-11)
    assert solve(game, 1, "iteration", speed=speed).value == pytest.approx(1, abs=1e-11)


# Components. -------------------------------------------------------------------------------------
def reachable(graph: list[list[int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        new = set(graph[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


@given(
    st.integers(1, 12).flatmap(lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n))
)
def test_components_are_strongly_connected_and_in_topological_order(graph: list[list[int]]) -> None:
    starts = np.cumsum([0, *map(len, graph)])
    children = np.array([child for each in graph for child in each], np.int32)
    s = new_components(len(graph))
    count = find_components(len(graph), GraphArrays(None, None, starts, children, None), s)
    found = [set(s.order[s.firsts[k] : s.firsts[k + 1]].tolist()) for k in range(count)]
    assert sorted(s.order.tolist()) == list(range(len(graph)))
    done: set[int] = set()
    for component in found:
        for each in component:
            leads_to = reachable(graph, each)
            assert {other for other in leads_to if each in reachable(graph, other)} == component
            assert leads_to <= done | component
        done |= component


def test_positions_of_a_component_come_after_their_children() -> None:
    graph = [[1], [2], [3], [0]]  # a cycle: node 3 is visited last and leads back to node 0
    s = new_components(4)
    starts, children = np.arange(5), np.array([each for (each,) in graph], np.int32)
    assert find_components(4, GraphArrays(None, None, starts, children, None), s) == 1
    assert s.order.tolist() == [3, 2, 1, 0]
