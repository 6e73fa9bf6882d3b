"""Where to draw the nodes and edges of a directed graph: in layers, from the top down.

The method of Sugiyama, Tagawa and Toda 1981, "Methods for visual understanding of hierarchical system
structures", IEEE Transactions on Systems, Man, and Cybernetics 11: turn some edges where there are
circles, give each node a layer below all that lead to it, order the layers so that few edges cross, and
only then choose coordinates. An edge that skips layers is a chain of links, with a bend in each of them.
Which places are best for a layer, its order and its neighbours given, is answered exactly.
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["Edge", "Layout", "Point", "Size", "lay_out", "layers_of"]

Point = tuple[float, float]
Size = tuple[float, float]
Edge = tuple[int, int]
Chain = list[int]

ORDERINGS = 24
"""How often the layers are put in order anew, downwards and upwards in turn."""
PLACINGS = 16
"""How often the nodes are moved towards their neighbours."""
NODE_GAP, BEND_WIDTH = 22.0, 16.0
"""Between two nodes of a layer; the room of a bend."""
LAYER_GAP, STEEPNESS, LARGEST_GAP = 58.0, 0.12, 150.0
"""Between two layers: at least, what it grows by with the farthest link between them, and at most."""
BEND_PULL = 8.0
"""How much more a link between two bends pulls than one that ends at a node, so that long edges are straight."""
PORT_GAP, PORTS_SHARE = 18.0, 0.8
"""Between the ends of two edges at a node, and on how much of its width they end."""


@dataclass(frozen=True)
class Layout:
    """The middle of each node, and how each edge goes."""

    layers: list[list[int]]
    """The nodes from left to right, the top layer first."""
    centres: list[Point]
    routes: list[list[Point]]
    """For each edge, points from its source's box to its target's: two for each gap that it crosses."""
    width: float
    height: float


def lay_out(sizes: Sequence[Size], edges: Sequence[Edge]) -> Layout:
    """Lay out nodes of these widths and heights, numbered in the order of their discovery.

    An edge is a pair of two different nodes; those that close a circle may go up.
    """
    count = len(sizes)
    order = order_of_play(count, edges)
    downward = turned_down(order, edges)
    layer_of = longest_paths(order, downward)
    chains = with_bends(downward, layer_of)
    layers = grouped(layer_of)
    neighbours = links_of(chains, len(layer_of))
    put_in_order(layers, neighbours)
    widths = [width + NODE_GAP for width, _ in sizes] + [BEND_WIDTH] * (len(layer_of) - count)
    xs = places(layers, neighbours, widths, count)
    heights = [max((sizes[node][1] for node in layer if node < count), default=0.0) for layer in layers]
    tops = tops_of(layers, neighbours, xs, heights)
    middles = [top + height / 2 for top, height in zip(tops, heights, strict=True)]
    routes = routes_of(chains, xs, sizes, layer_of, tops, heights)
    back = [edge != down for edge, down in zip(edges, downward, strict=True)]
    return Layout(
        layers=[[node for node in layer if node < count] for layer in layers],
        centres=[(xs[node], middles[layer_of[node]]) for node in range(count)],
        routes=[route[::-1] if is_turned else route for route, is_turned in zip(routes, back, strict=True)],
        width=max(x + width / 2 for x, width in zip(xs, widths, strict=True)),
        height=tops[-1] + heights[-1],
    )


# Layers. -----------------------------------------------------------------------------------------
def layers_of(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    """The nodes of each layer, the top layer first.

    >>> layers_of(4, [(0, 2), (0, 1), (1, 2), (2, 3), (3, 1)])
    [[0], [1], [2], [3]]
    """
    order = order_of_play(count, edges)
    return grouped(longest_paths(order, turned_down(order, edges)))


def order_of_play(count: int, edges: Sequence[Edge]) -> list[int]:
    """The nodes, each after all that lead to it; in a circle, the one discovered first comes first."""
    children: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for source, target in edges:
        children[source].append(target)
        waiting[target] += 1
    order: list[int] = []
    left = dict.fromkeys(range(count))
    ready = [node for node in left if not waiting[node]]
    while left:
        node = ready.pop() if ready else next(iter(left))
        del left[node]
        order.append(node)
        for child in children[node]:
            waiting[child] -= 1
            if child in left and not waiting[child]:
                ready.append(child)
    return order


def turned_down(order: Sequence[int], edges: Sequence[Edge]) -> list[Edge]:
    """The edges, turned round where they go back in this order."""
    rank = {node: place for place, node in enumerate(order)}
    return [(a, b) if rank[a] <= rank[b] else (b, a) for a, b in edges]


def longest_paths(order: Sequence[int], edges: Sequence[Edge]) -> list[int]:
    """The layer of each node: how many edges the longest way to it has."""
    parents: list[list[int]] = [[] for _ in order]
    for source, target in edges:
        parents[target].append(source)
    layer_of = [0] * len(order)
    for node in order:
        layer_of[node] = max((layer_of[parent] + 1 for parent in parents[node]), default=0)
    return layer_of


def grouped(layer_of: Sequence[int]) -> list[list[int]]:
    """The nodes and bends of each layer."""
    layers: list[list[int]] = [[] for _ in range(max(layer_of) + 1)]
    for node, layer in enumerate(layer_of):
        layers[layer].append(node)
    return layers


def with_bends(edges: Sequence[Edge], layer_of: list[int]) -> list[Chain]:
    """Each edge as a chain with a bend in every layer that it skips; appends the layers of the bends."""
    chains = []
    for source, target in edges:
        skipped = range(layer_of[source] + 1, layer_of[target])
        chains.append([source, *range(len(layer_of), len(layer_of) + len(skipped)), target])
        layer_of += skipped
    return chains


@dataclass(frozen=True)
class Neighbours:
    """What each node or bend is linked to, above and below."""

    above: list[list[int]]
    below: list[list[int]]


def links_of(chains: Sequence[Chain], count: int) -> Neighbours:
    """The links of all chains."""
    neighbours = Neighbours([[] for _ in range(count)], [[] for _ in range(count)])
    for chain in chains:
        for upper, lower in pairwise(chain):
            neighbours.below[upper].append(lower)
            neighbours.above[lower].append(upper)
    return neighbours


# The order within the layers. --------------------------------------------------------------------
def put_in_order(layers: list[list[int]], neighbours: Neighbours) -> None:
    """Order each layer by the middle of its neighbours, in turn downwards and upwards; keep the best."""
    best, fewest = [list(layer) for layer in layers], crossings(layers, neighbours)
    for number in range(ORDERINGS):
        goes_down = number % 2 == 0
        neighbours_of = neighbours.above if goes_down else neighbours.below
        for fixed, layer in pairwise(layers if goes_down else layers[::-1]):
            place = {node: i for i, node in enumerate(fixed)}
            own = {node: i for i, node in enumerate(layer)}
            layer.sort(key=lambda node: middle([place[each] for each in neighbours_of[node]], own[node]))
        found = crossings(layers, neighbours)
        if found < fewest:
            best, fewest = [list(layer) for layer in layers], found
    layers[:] = best


def middle(places: Sequence[int], own: int) -> float:
    """The mean place of the neighbours; its own where there are none."""
    return sum(places) / len(places) if places else own


def crossings(layers: Sequence[Sequence[int]], neighbours: Neighbours) -> int:
    """How many pairs of links cross."""
    count = 0
    for upper, lower in pairwise(layers):
        place = {node: i for i, node in enumerate(lower)}
        passed: list[int] = []
        for node in upper:
            ends = sorted(place[child] for child in neighbours.below[node])
            count += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return count


# Coordinates. ------------------------------------------------------------------------------------
def places(layers: Sequence[Sequence[int]], neighbours: Neighbours, widths: Sequence[float], nodes: int) -> list[float]:
    """The x of each node and bend, from 0 on."""
    xs = [0.0] * len(widths)
    for layer in layers:
        for node, x in zip(layer, offsets([widths[node] for node in layer]), strict=True):
            xs[node] = x
    for number in range(PLACINGS):
        fixed = (neighbours.above, neighbours.below)[number % 2]
        for layer in layers if number % 2 == 0 else reversed(layers):
            wanted, pulls = [], []
            for node in layer:
                near = fixed[node]
                strength = [BEND_PULL if min(node, each) >= nodes else 1.0 for each in near]
                pull = sum(strength)
                mean = sum(s * xs[each] for s, each in zip(strength, near, strict=True)) / pull if pull else xs[node]
                wanted.append(mean)
                pulls.append(pull or 0.5)
            for node, x in zip(layer, nearest_places(wanted, pulls, [widths[n] for n in layer]), strict=True):
                xs[node] = x
    left = min(x - width / 2 for x, width in zip(xs, widths, strict=True))
    return [x - left for x in xs]


def offsets(widths: Sequence[float]) -> list[float]:
    """Where things of these widths stand side by side."""
    return list(accumulate(((a + b) / 2 for a, b in pairwise(widths)), initial=0.0))


def nearest_places(wanted: Sequence[float], pulls: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The places nearest to the wanted ones, by least squares, where nothing overlaps and the order stays.

    Less its offset, no place may be smaller than the one before: isotonic regression, which pools
    neighbours that violate that (Ayer et al. 1955).

    >>> nearest_places([5, 5, 30], [1, 1, 1], [10, 10, 10])
    [0.0, 10.0, 30.0]
    """
    starts = offsets(widths)
    pools: list[tuple[float, float, int]] = []  # their mean, pull and number
    for place, pull, start in zip(wanted, pulls, starts, strict=True):
        mean, weight, number = place - start, pull, 1
        while pools and pools[-1][0] > mean:
            before, heavier, more = pools.pop()
            mean = (mean * weight + before * heavier) / (weight + heavier)
            weight, number = weight + heavier, number + more
        pools.append((mean, weight, number))
    means = [mean for mean, _, number in pools for _ in range(number)]
    return [mean + start for mean, start in zip(means, starts, strict=True)]


def tops_of(
    layers: Sequence[Sequence[int]], neighbours: Neighbours, xs: Sequence[float], heights: Sequence[float]
) -> list[float]:
    """The top of each layer."""
    tops = [0.0]
    for layer, height in zip(layers[:-1], heights, strict=False):
        farthest = max(abs(xs[node] - xs[child]) for node in layer for child in neighbours.below[node])
        tops.append(tops[-1] + height + min(LAYER_GAP + STEEPNESS * farthest, LARGEST_GAP))
    return tops


def routes_of(
    chains: Sequence[Chain],
    xs: Sequence[float],
    sizes: Sequence[Size],
    layer_of: Sequence[int],
    tops: Sequence[float],
    heights: Sequence[float],
) -> list[list[Point]]:
    """The points of each chain, from the foot of its first node to the top of its last."""
    leaving = ports([(chain[0], xs[chain[1]]) for chain in chains], xs, sizes)
    arriving = ports([(chain[-1], xs[chain[-2]]) for chain in chains], xs, sizes)
    routes = []
    for chain, start, end in zip(chains, leaving, arriving, strict=True):
        source, target = layer_of[chain[0]], layer_of[chain[-1]]
        slack = [(heights[layer] - sizes[node][1]) / 2 for node, layer in ((chain[0], source), (chain[-1], target))]
        route = [(start, tops[source] + heights[source] - slack[0])]
        for bend in chain[1:-1]:
            top = tops[layer_of[bend]]
            route += [(xs[bend], top), (xs[bend], top + heights[layer_of[bend]])]
        routes.append([*route, (end, tops[target] + slack[1])])
    return routes


def ports(ends: Sequence[tuple[int, float]], xs: Sequence[float], sizes: Sequence[Size]) -> list[float]:
    """Where each edge ends at its node, when it comes from this x: side by side, none across another."""
    at: dict[int, list[int]] = {}
    for number in sorted(range(len(ends)), key=lambda number: ends[number][1]):
        at.setdefault(ends[number][0], []).append(number)
    found = [0.0] * len(ends)
    for node, numbers in at.items():
        gap = min(PORT_GAP, PORTS_SHARE * sizes[node][0] / len(numbers))
        for place, number in enumerate(numbers):
            found[number] = xs[node] + gap * (place - (len(numbers) - 1) / 2)
    return found
