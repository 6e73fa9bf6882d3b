"""Compare algorithms on one position: their speed, and their numbers of nodes at different depths and with different
orders of moves."""

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.games.trees.random_tree import RandomTree
from gamesearch.specification import split_at_commas
from gamesearch.toolkit.derived_games import ShuffledGame

__all__ = [
    "DEEPEST", "Growth", "Measurement", "Spread", "Theory", "agreement", "all_leaves", "default_algorithms",
    "fewest_leaves", "grow", "measure", "parse_algorithms", "random_branching_factor", "random_leaves",
    "random_wide_leaves", "same", "theory_of", "uniform_tree",
]  # fmt: skip


# Theory of uniform trees. -------------------------------------------------------------------------
def all_leaves(branching: int, depth: int) -> int:
    """The number of leaves that minimax evaluates: b^d.

    >>> all_leaves(40, 5)
    102400000
    """
    return int(branching**depth)


def fewest_leaves(branching: int, depth: int) -> int:
    """The number of leaves that alpha-beta evaluates if the best move always comes first (Knuth and Moore).

    >>> fewest_leaves(40, 5)
    65599
    """
    return int(branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1)


def random_wide_leaves(branching: int, depth: int) -> float:
    """The number of leaves that alpha-beta evaluates if moves are in random order: (b / log b)^d, times a constant
    factor. The formula holds for large b (Knuth and Moore 1975). Some lectures write this formula as (q / log q)^p."""
    return (branching / max(1.0, math.log(branching))) ** depth if branching > 1 else 1.0


def random_leaves(branching: int, depth: int) -> float:
    """The approximate number of leaves that alpha-beta evaluates if moves are in random order: b^(3d/4)."""
    return float(branching ** (0.75 * depth))


def random_branching_factor(branching: int) -> float:
    """The factor by which each additional ply multiplies the number of leaves that alpha-beta evaluates (Pearl). The
    tree is deep, and its moves are in random order.

    The factor is x/(1-x), where x is the positive root of x^b + x - 1 = 0.

    >>> round(random_branching_factor(2), 3)
    1.618
    """
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**branching + middle < 1 else (low, middle)
    return low / (1 - low)


def effective_branching_factor(nodes: int, depth: int) -> float | None:
    """A uniform tree of depth `depth` has `nodes` nodes below its root. Return its branching factor, or None for depth
    0.

    Russell and Norvig, 4th edition, section 3.6.1.

    >>> effective_branching_factor(52, 5) is not None and round(effective_branching_factor(53, 5), 2)
    1.92
    """
    if depth < 1 or nodes < 2:
        return None
    low, high = 0.0, float(nodes)
    for _ in range(200):
        middle = (low + high) / 2
        total, power = 1.0, 1.0
        for _ in range(depth):
            power *= middle
            total += power
            if total > nodes:
                break
        low, high = (low, middle) if total > nodes else (middle, high)
    return high


# Measurements. ------------------------------------------------------------------------------------
ENOUGH_SECONDS = 0.2
"""A search is repeated until all its runs together take this time in seconds. The fastest run counts."""
MOST_RUNS = 25


@dataclass(frozen=True)
class Measurement:
    """How many nodes and how much time one algorithm needs for a position."""

    algorithm: Algorithm
    result: SearchResult
    seconds: float  # the time of the fastest run in seconds, without compilation
    runs: int
    depth: int
    is_exact: bool  # whether the algorithm finds the same value as minimax in this game
    share: float | None = None
    """The number of nodes as a fraction of the nodes of minimax (or of expectiminimax without pruning); None if
    unknown."""

    @property
    def nodes_per_second(self) -> float:
        """The number of nodes visited per second."""
        return self.result.statistics.nodes / self.seconds if self.seconds else 0.0

    @property
    def branching(self) -> float | None:
        """The effective branching factor; None for an algorithm whose searches have no depth."""
        if self.algorithm.values_moves:
            return None
        return effective_branching_factor(self.result.statistics.nodes, self.result.statistics.depth)


def parse_algorithms(text: str) -> list[Algorithm]:
    """Parse a list of algorithms such as `minimax,alphabeta(table=true)`.

    For a fair comparison, alpha-beta does not search again for the fastest win, unless its specification has
    `distance=true`. Raises GamesearchError for an algorithm that does not search.
    """
    algorithms = [load_algorithm(part, {"distance": False}) for part in split_at_commas(text)]
    if not algorithms:
        raise GamesearchError(
            "no algorithm to measure was named: name algorithms, for example --algorithms minimax,alphabeta"
        )
    for algorithm in algorithms:
        if not algorithm.is_search:
            raise GamesearchError(
                f"{algorithm.name} does not search, so it cannot be compared: leave out {algorithm.name}"
            )
    return algorithms


def default_algorithms(game: Game) -> str:
    """The algorithms that `bench` compares by default on a game."""
    if game.payoff_count > 1:
        return "maxn" if game.chance or game.players == 2 else "maxn,paranoid"
    if game.chance:
        prunings = ["expectiminimax(pruning=none, order=generated)"]
        prunings += [f"expectiminimax(pruning={pruning})" for pruning in ("star1", "star2")]
        return ",".join([*prunings, "expectiminimax", "expectiminimax(table=true)"])
    return "minimax,alphabeta,alphabeta(order=killer+history),alphabeta(table=true),alphabeta(table=true, window=null)"


def measure(
    game: Game,
    state: Any,
    algorithms: Sequence[Algorithm],
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> Iterator[Measurement]:
    """Yield the measurement of each algorithm. Before the first search, check that all algorithms support the game."""
    for algorithm in algorithms:
        algorithm.fits(game)
        algorithm.takes(limits)
    all_nodes: dict[int, int] = {}  # the nodes of a search without pruning to each depth
    for algorithm in algorithms:
        try:  # search one node first to compile the kernels, so that compilation is not measured
            search_with(game, state, algorithm, Limits(limits.depth, None, 1), speed=speed, monitor=monitor)
        except Interrupted:
            if algorithm is algorithms[0]:
                raise
            return
        times: list[float] = []
        while True:
            result = search_with(game, state, algorithm.fresh_copy(), limits, speed=speed, monitor=monitor)
            times.append(result.statistics.seconds)
            enough = sum(times) >= ENOUGH_SECONDS and (len(times) > 1 or times[0] >= 1)
            if result.stopped or enough or len(times) >= MOST_RUNS:
                break
        depth = algorithm.limits(game, limits).depth or 0
        if algorithm.visits_everything and not result.stopped:
            all_nodes[depth] = result.statistics.nodes
        share = result.statistics.nodes / all_nodes[depth] if depth in all_nodes and not result.stopped else None
        yield Measurement(algorithm, result, min(times), len(times), depth, algorithm.is_exact_in(game), share)
        if monitor is not None and monitor.interrupted:
            return


def agreement(measurements: Sequence[Measurement]) -> tuple[int, bool]:
    """The number of exact algorithms that finished, and whether algorithms with the same depth found the same value."""
    exact = [m for m in measurements if m.is_exact and not m.result.stopped]
    first = {m.depth: m.result.value for m in reversed(exact)}
    return len(exact), all(same(m.result.value, first[m.depth]) for m in exact)


def same(one: Any, other: Any, rounding: float = 1e-9) -> bool:
    """Whether two values are equal, except for rounding errors of expected values."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(a, b, rounding) for a, b in zip(one, other, strict=True))
    is_number = not isinstance(one, tuple) and not isinstance(other, tuple)
    return is_number and math.isclose(one, other, rel_tol=rounding, abs_tol=rounding)


# By depth. ----------------------------------------------------------------------------------------
DEEPEST = 40


@dataclass(frozen=True)
class Spread:
    """The least, median and greatest number of nodes in searches with different orders of moves."""

    least: int
    median: int
    most: int


@dataclass
class Growth:
    """The finished searches of one algorithm, to depth 1, 2, 3 and so on."""

    algorithm: Algorithm
    rows: list[Measurement] = field(default_factory=list)
    shuffled: list[list[Measurement]] = field(default_factory=list)
    """For each depth, the searches with shuffled moves."""
    stopped: str = ""  # the reason why the search to the next depth was stopped; empty if no search was stopped

    @property
    def nodes(self) -> list[int]:
        """The number of nodes visited by the search to each depth."""
        return [row.result.statistics.nodes for row in self.rows]

    @property
    def spreads(self) -> list[Spread]:
        """For each depth, the least, median and greatest number of nodes of the searches with shuffled moves."""
        counts = [[row.result.statistics.nodes for row in rows] for rows in self.shuffled]
        return [Spread(min(each), statistics.median_low(each), max(each)) for each in counts]

    @property
    def speed(self) -> str:
        """The speed of the searches, `compiled` or `interpreted`; empty if no search was finished."""
        return self.rows[0].result.statistics.speed if self.rows else ""

    @property
    def measurements(self) -> list[Measurement]:
        """The measurements of all searches, including the searches with shuffled moves."""
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
    """Search with each algorithm to depth 1, 2, 3 and so on. Repeat each search `orders` times with shuffled moves. The
    limits on time and nodes apply to each search. An algorithm that reaches a limit does not search deeper."""
    for algorithm in algorithms:
        algorithm.fits(game)

    def run_once(played: Game, algorithm: Algorithm, depth: int) -> Measurement:
        at_depth = Limits(depth, limits.time, limits.nodes)
        result = search_with(played, state, algorithm.fresh_copy(), at_depth, speed=speed, monitor=monitor)
        return Measurement(algorithm, result, result.statistics.seconds, 1, depth, algorithm.is_exact_in(played))

    def deepest_of(algorithm: Algorithm) -> int:
        depth = algorithm.limits(game, Limits()).depth or FULL_DEPTH
        return depth if depth < FULL_DEPTH else run_once(game, algorithm, FULL_DEPTH).result.statistics.depth

    deepest = limits.depth if limits.depth is not None else max(1, *map(deepest_of, algorithms))
    variants = [ShuffledGame(game, seed) for seed in range(1, orders + 1)]
    found = []
    for algorithm in algorithms:
        growth = Growth(algorithm)
        found.append(growth)
        for depth in range(1, min(deepest, DEEPEST) + 1):
            row = run_once(game, algorithm, depth)
            if row.result.stopped:
                growth.stopped = row.result.stopped
                break
            growth.rows.append(row)
            if variants and len(growth.shuffled) == depth - 1:
                others = [row] * orders if algorithm.visits_everything else []
                while len(others) < orders and not (others and others[-1].result.stopped):
                    others.append(run_once(variants[len(others)], algorithm, depth))
                if not others[-1].result.stopped:
                    growth.shuffled.append(others)
        if monitor is not None and monitor.interrupted:
            break
    return found


@dataclass(frozen=True)
class Theory:
    """The number of nodes that a theory predicts for searches to depth 1, 2, 3 and so on."""

    name: str
    nodes: list[float]


def uniform_tree(game: Game, state: Any) -> tuple[int, int] | None:
    """The branching factor and the depth of the tree below a state, if the tree is uniform; otherwise None."""
    return (game.branching, state.left) if isinstance(game, RandomTree) and not game.chance else None


def theory_of(game: Game, state: Any, depth: int) -> list[Theory]:
    """The predictions of theories for each depth; empty if the game is not a uniform tree.

    The theories predict the number of leaves for a depth. The nodes that a search visits at depth d would be leaves if
    the tree ended at depth d. So the predicted number of nodes is the sum of the predicted leaves for all depths.
    """
    uniform = uniform_tree(game, state)
    if uniform is None:
        return []
    depths = range(1, min(depth, uniform[1]) + 1)
    curves = {
        "every node: the sum of b^d over all depths d": all_leaves,
        "random order: b^(3d/4), the limit for deep trees": random_leaves,
        "random order: (b / log b)^d up to a constant factor, for wide trees (Knuth & Moore 1975)": random_wide_leaves,
        "best order: the least possible number (Knuth & Moore 1975)": fewest_leaves,
    }
    return [
        Theory(name, [float(sum(leaves(uniform[0], level) for level in range(each + 1))) for each in depths])
        for name, leaves in curves.items()
    ]
