"""The layered layout: what every layout must keep, and what is known of some."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.render.graph_layout import crossings, lay_out, layers_of, links_of, nearest_places

DIAMOND = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]
CIRCLE = [(0, 1), (1, 2), (2, 0), (2, 3)]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """A graph whose nodes can all be reached from node 0, circles included."""
    count = draw(st.integers(1, 14))
    tree = [(draw(st.integers(0, node - 1)), node) for node in range(1, count)]
    number = st.integers(0, count - 1)
    more = draw(st.lists(st.tuples(number, number).filter(lambda pair: pair[0] != pair[1]), max_size=12))
    return count, list(dict.fromkeys(tree + more))


@given(graphs())
def test_nodes_do_not_overlap_and_edges_end_at_them(graph: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = graph
    sizes = [(30.0 + 7 * (node % 3), 20.0 + 5 * (node % 2)) for node in range(count)]
    layout = lay_out(sizes, edges)
    assert sorted(node for layer in layout.layers for node in layer) == list(range(count))
    for layer in layout.layers:
        for left, right in pairwise(layer):
            gap = layout.centres[right][0] - layout.centres[left][0]
            assert gap >= (sizes[left][0] + sizes[right][0]) / 2
    for (x, y), (width, height) in zip(layout.centres, sizes, strict=True):
        assert width / 2 <= x <= layout.width - width / 2
        assert height / 2 - 1e-6 <= y <= layout.height - height / 2 + 1e-6
    for edge, route in zip(edges, layout.routes, strict=True):
        assert len(route) % 2 == 0
        for node, (x, y) in zip(edge, (route[0], route[-1]), strict=True):
            assert abs(x - layout.centres[node][0]) <= sizes[node][0] / 2
            assert abs(y - layout.centres[node][1]) == pytest.approx(sizes[node][1] / 2)


def test_a_layer_is_below_all_that_lead_to_it() -> None:
    assert layers_of(4, DIAMOND) == [[0], [1, 2], [3]]


def test_the_edge_that_closes_a_circle_goes_up() -> None:
    layout = lay_out([(10.0, 10.0)] * 4, CIRCLE)
    rising = [edge for edge, route in zip(CIRCLE, layout.routes, strict=True) if route[0][1] > route[-1][1]]
    assert rising == [(2, 0)]


def test_a_long_edge_passes_beside_what_stands_between() -> None:
    layout = lay_out([(40.0, 20.0)] * 3, [(0, 1), (1, 2), (0, 2)])
    middle, long_way = layout.centres[1], layout.routes[2]
    assert len(long_way) == 4
    assert all(abs(x - middle[0]) > 20 for x, _ in long_way[1:3])


def test_a_tree_is_drawn_without_crossings() -> None:
    edges = [(0, 1), (0, 2), (0, 3), (1, 9), (2, 6), (1, 4), (3, 5), (2, 7), (3, 8)]
    layout = lay_out([(10.0, 10.0)] * 10, edges)
    assert crossings(layout.layers, links_of([list(edge) for edge in edges], 10)) == 0


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(6, 11))))
def test_crossings_are_counted(links: set[tuple[int, int]]) -> None:
    expected = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(links, 2))
    neighbours = links_of([list(link) for link in links], 12)
    assert crossings([list(range(6)), list(range(6, 12))], neighbours) == expected


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 5), st.integers(1, 9)), min_size=1, max_size=8))
def test_the_nearest_places_are_a_minimum(rows: list[tuple[int, int, int]]) -> None:
    wanted, pulls, widths = zip(*rows, strict=True)

    def cost(places: list[float]) -> float:
        return sum(float(pull * (x - want) ** 2) for x, want, pull in zip(places, wanted, pulls, strict=True))

    def is_allowed(places: list[float]) -> bool:
        gaps = [(a + b) / 2 for a, b in pairwise(widths)]
        return all(right - left >= gap - 1e-9 for (left, right), gap in zip(pairwise(places), gaps, strict=True))

    found = nearest_places(wanted, pulls, widths)
    assert is_allowed(found)
    for first in range(len(found)):
        for last in range(first + 1, len(found) + 1):
            for step in (-0.1, 0.1):  # the problem is convex: no block may gain by moving
                moved = [x + step * (first <= i < last) for i, x in enumerate(found)]
                assert not is_allowed(moved) or cost(moved) >= cost(found) - 1e-9
