"""Strongly connected components of a graph."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.solvers.graphs.graph import GraphArrays
from gamesearch.solvers.graphs.iteration import find_components, new_components

MOST = 12
graphs = st.integers(1, MOST).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)


def reached(graph: list[list[int]], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        new = set(graph[waiting.pop()]) - found
        found |= new
        waiting += new
    return found


@given(graphs)
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
            leads_to = reached(graph, each)
            assert {other for other in leads_to if each in reached(graph, other)} == component
            assert leads_to <= done | component
        done |= component


def test_positions_of_a_component_come_after_their_children() -> None:
    graph = [[1], [2], [3], [0]]  # a cycle: node 3 is visited last and leads back to node 0
    s = new_components(4)
    starts, children = np.arange(5), np.array([each for (each,) in graph], np.int32)
    assert find_components(4, GraphArrays(None, None, starts, children, None), s) == 1
    assert s.order.tolist() == [3, 2, 1, 0]
