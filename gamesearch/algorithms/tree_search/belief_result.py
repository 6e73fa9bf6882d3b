"""The result of a search with beliefs. It contains a histogram for each move, and the probability that the move is the
best."""

from dataclasses import replace
from typing import Any

import numpy as np

from gamesearch.algorithms.engine.result import Belief, SearchResult
from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.tree_search.beliefs import BINS, deviation_with
from gamesearch.algorithms.tree_search.growth import OVER
from gamesearch.algorithms.tree_search.tree_runner import ExpandingReader, TreeRunner
from gamesearch.game import CHANCE, MAX, MIN

__all__ = ["BeliefReader", "chances_at_root", "chances_of_best"]

ORDER = 8
"""The number of points of Gaussian quadrature in each bin."""
MOST_DRAWN = 1 << 20
"""The greatest number of random errors that are drawn at a time."""


class BeliefReader(ExpandingReader):
    """Reads beliefs from a tree. The value of a move is the mean of the belief about it."""

    def __init__(self, runner: TreeRunner, held: RecordHandle) -> None:
        super().__init__(runner)
        self.held, self.is_final = held, bool(held.read("final"))

    def value_of(self, number: int) -> float:
        """The mean of the belief about an uncertain node. It is clipped to the node's bounds unless
        `leaves=payoffs`."""
        mean = float(self.store.nodes["mean"][number])
        return mean if self.is_final else self.clip(number, mean)

    def with_beliefs(self, found: SearchResult, draws: int, seed: int) -> SearchResult:
        """Add the beliefs about the moves to a result. Also draw `draws` random samples, which check the beliefs. Each
        sample contains a value for every leaf."""
        if not found.moves:
            return found
        places = self.store.edges_of([0])
        children = self.store.edges["child"][places]
        tables = self.store.totals.reshape(-1, BINS)[places]
        player = int(self.store.nodes["player"][0])
        chances = chances_at_root(self.store.nodes, 0, children, tables)
        best = [None] * len(places) if player == CHANCE else chances.tolist()
        deviations = np.sqrt(self.store.nodes["variance"][children])
        sampled = RandomDraws(self, seed).draw(draws, player) if draws else [None] * len(places)
        least, step = self.held.read("least"), self.held.read("step")
        beliefs = [
            Belief(least, step, tuple(table), chance, deviation, sample)
            for table, chance, deviation, sample in zip(
                tables.tolist(), best, deviations.tolist(), sampled, strict=True
            )
        ]
        moves = tuple(replace(each, belief=belief) for each, belief in zip(found.moves, beliefs, strict=True))
        return replace(found, moves=moves)


def chances_at_root(nodes: Any, root: int, children: Any, tables: Any) -> Any:
    """For each move of the root, the probability that this move is the best. If the root's value is certain, all best
    moves get the same probability.

    `nodes` contains an array for each field of the tree's nodes, and `tables` contains the histogram of each move.
    """
    player, lower, upper = nodes["player"][root], nodes["lower"], nodes["upper"]
    if player == CHANCE:
        return np.zeros(len(tables))
    if lower[root] < upper[root]:
        return chances_of_best(tables, player == MIN)
    reaching = ((lower[children] == lower[root]) & (upper[children] == lower[root])).astype(float)
    return reaching / reaching.sum()


def chances_of_best(tables: Any, is_min: bool) -> Any:
    """The arrays in `tables` are cumulative histograms of independent values. Return, for each value, the probability
    that it is the best.

    Values within a bin are assumed to be uniformly distributed. The true probability lies between two extremes: either
    each value counts as worse than all other values in its bin, or each value counts as better than all of them.
    """
    points, weights = np.polynomial.legendre.leggauss(ORDER)  # points from -1 to 1
    masses = np.diff(tables, axis=1, prepend=0.0)
    before = tables - masses
    if is_min:
        before = 1.0 - tables
    chances = np.zeros(len(tables))
    for point, weight in zip((points + 1.0) / 2.0, weights / 2.0, strict=True):
        shares = before + point * masses
        others = products_before(shares) * products_before(shares[::-1])[::-1]
        chances += weight * np.sum(masses * others, axis=1)
    return chances / chances.sum()


def products_before(shares: Any) -> Any:
    """Replace each row of an array by the elementwise product of all rows before it."""
    return np.cumprod(np.vstack([np.ones(shares.shape[1]), shares[:-1]]), axis=0)


class RandomDraws:
    """Random samples of the values of all leaves. The values are backed up by minimax, without histograms."""

    def __init__(self, reader: BeliefReader, seed: int) -> None:
        self.store, self.reader = reader.store, reader
        self.spread = reader.held.read("spread")
        self.limits = reader.held.read("lowest"), reader.held.read("highest")
        self.generator = np.random.default_rng(seed)

    def draw(self, draws: int, player: int) -> list[tuple[float, float | None]]:
        """Return two numbers for each root move: the mean of its values in `draws` samples, and the fraction of samples
        in which it was best. If several moves are best in a sample, each of them gets an equal fraction of the sample.

        At a chance node, the fraction is None.
        """
        at_once = max(1, MOST_DRAWN // max(1, self.store.used_nodes))
        sizes = [at_once] * (draws // at_once) + [draws % at_once] * (draws % at_once > 0)
        parts = [self.values(size) for size in sizes]
        means = sum(part.sum(axis=1) for part in parts) / draws
        if player == CHANCE:
            return [(mean, None) for mean in means.tolist()]
        shares = np.zeros(len(means))
        for part in parts:
            is_best = part == (part.max(axis=0) if player == MAX else part.min(axis=0))
            shares += (is_best / is_best.sum(axis=0)).sum(axis=1)
        return list(zip(means.tolist(), (shares / draws).tolist(), strict=True))

    def values(self, size: int) -> Any:
        """Draw `size` samples of the values of the root moves. The nodes are visited from the last to the first."""
        store, drawn = self.store, dict[int, Any]()
        for number in range(store.used_nodes - 1, 0, -1):
            node = store.nodes[number]
            if self.reader.is_proven(number) or node["count"] <= 0:
                drawn[number] = self.leaf(number, size)
                continue
            places = store.edges_of([number])
            below = np.array([drawn.pop(child) for child in store.edges["child"][places].tolist()])
            if node["player"] == CHANCE:
                drawn[number] = store.edges["prior"][places] @ below
            else:
                drawn[number] = below.max(axis=0) if node["player"] == MAX else below.min(axis=0)
        return np.array([drawn[child] for child in store.edges["child"][store.edges_of([0])].tolist()])

    def leaf(self, number: int, size: int) -> Any:
        """Draw `size` samples of the value of a leaf, or of a node whose value is certain."""
        node, limits = self.store.nodes[number], self.limits
        if self.reader.is_proven(number):
            return np.full(size, np.clip(node["lower"], *limits))
        if self.reader.is_final and node["player"] != OVER:
            return self.generator.uniform(*limits, size)
        deviation = deviation_with(self.spread, float(node["error"]))
        values = node["estimate"] + deviation * self.generator.standard_normal(size)
        return values if self.reader.is_final else np.clip(values, *limits)
