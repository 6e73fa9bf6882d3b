"""The growth of searches with the depth, by algorithm and by order of the moves."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.game import Game
from gamesearch.optional import uniform_tree
from gamesearch.study.bench import Measurement, all_leaves, fewest_leaves, random_leaves
from gamesearch.toolkit.derived_games import Shuffled

__all__ = ["DEEPEST", "Growth", "Spread", "Theory", "grow", "theory_of"]

DEEPEST = 40
"""The greatest depth of a comparison."""


@dataclass(frozen=True)
class Spread:
    """The least, the median and the greatest number of nodes of a search in some orders of the moves."""

    least: int
    median: int
    most: int


@dataclass
class Growth:
    """The finished searches of one algorithm to depth 1, 2, ..."""

    algorithm: Algorithm
    rows: list[Measurement] = field(default_factory=list)
    shuffled: list[list[Measurement]] = field(default_factory=list)
    """At each depth, the searches in the other orders of the moves."""
    stopped: str = ""
    """The reason why the last search, which is not listed, was stopped."""

    @property
    def nodes(self) -> list[int]:
        """The nodes visited at each depth."""
        return [row.result.statistics.nodes for row in self.rows]

    @property
    def spreads(self) -> list[Spread]:
        """The effect of the order of the moves at each depth."""
        counts = [[row.result.statistics.nodes for row in rows] for rows in self.shuffled]
        return [Spread(min(each), statistics.median_low(each), max(each)) for each in counts]

    @property
    def speed(self) -> str:
        """The speed of the searches; empty if none was finished."""
        return self.rows[0].result.statistics.speed if self.rows else ""

    @property
    def measurements(self) -> list[Measurement]:
        """Every search."""
        return [*self.rows, *(row for rows in self.shuffled for row in rows)]


def grow(
    game: Game,
    state: Any,
    algorithms: Sequence[Algorithm],
    limits: Limits,
    orders: int = 0,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> list[Growth]:
    """Search with each algorithm to depth 1, 2, ..., and again in other orders of the moves.

    The limits on time and nodes are for each search. An algorithm stops deepening when it reaches them.
    """
    for algorithm in algorithms:
        algorithm.fits(game)
    deepest = depth_to_reach(game, state, algorithms, limits, speed, monitor)
    variants = [Shuffled(game, seed) for seed in range(1, orders + 1)]
    found = []
    for algorithm in algorithms:
        growth = Growth(algorithm)
        found.append(growth)
        for depth in range(1, deepest + 1):
            at_depth = Limits(depth, limits.time, limits.nodes)
            row = measure_once(game, state, algorithm, at_depth, speed, monitor)
            if row.result.stopped:
                growth.stopped = row.result.stopped
                break
            growth.rows.append(row)
            if len(growth.shuffled) == depth - 1:
                growth.shuffled += measure_other_orders(variants, state, row, at_depth, speed, monitor)
        if monitor is not None and monitor.interrupted:
            break
    return found


def measure_other_orders(
    variants: Sequence[Game], state: Any, row: Measurement, limits: Limits, speed: str, monitor: Monitor | None
) -> list[list[Measurement]]:
    """A list with the search of a row in each order of the moves; empty without orders or if a search was stopped."""
    rows: list[Measurement] = []
    for variant in variants:
        again = row
        if not row.algorithm.visits_everything:
            again = measure_once(variant, state, row.algorithm, limits, speed, monitor)
        if again.result.stopped:
            return []
        rows.append(again)
    return [rows] if rows else []


def measure_once(
    game: Game, state: Any, algorithm: Algorithm, limits: Limits, speed: str, monitor: Monitor | None
) -> Measurement:
    """One search, once."""
    result = search_with(game, state, algorithm, limits, speed=speed, monitor=monitor)
    return Measurement(algorithm, result, result.statistics.seconds, 1, limits.depth or 0, algorithm.is_exact_in(game))


def depth_to_reach(
    game: Game,
    state: Any,
    algorithms: Sequence[Algorithm],
    limits: Limits,
    speed: str,
    monitor: Monitor | None,
) -> int:
    """The given depth, or else the depth of the algorithms or the game, or else the plies of the whole game."""
    if limits.depth is not None:
        return min(limits.depth, DEEPEST)
    deepest = 1
    for algorithm in algorithms:
        depth = algorithm.limits(game, Limits()).depth or FULL_DEPTH
        if depth >= FULL_DEPTH:
            to_the_end = Limits(FULL_DEPTH, limits.time, limits.nodes)
            depth = search_with(game, state, algorithm, to_the_end, speed=speed, monitor=monitor).statistics.depth
        deepest = max(deepest, depth)
    return min(deepest, DEEPEST)


@dataclass(frozen=True)
class Theory:
    """The number of nodes that a theory predicts for searches to depth 1, 2, ..."""

    name: str
    nodes: list[float]


def theory_of(game: Game, state: Any, depth: int) -> list[Theory]:
    """The theories of uniform trees to a depth, if the game is such a tree; otherwise empty.

    The theories count leaves. A search visits as many nodes of each level as there would be leaves if the tree ended
    there, so the levels are added up.
    """
    uniform = uniform_tree(game, state)
    if uniform is None:
        return []
    depths = range(1, min(depth, uniform[1]) + 1)
    curves = {
        "everything: b^d leaves at depth d, all depths added up": all_leaves,
        "random order: b^(3d/4), which deep trees come to": random_leaves,
        "best order: the fewest there can be (Knuth & Moore 1975)": fewest_leaves,
    }
    return [
        Theory(name, [float(sum(leaves(uniform[0], level) for level in range(each + 1))) for each in depths])
        for name, leaves in curves.items()
    ]
