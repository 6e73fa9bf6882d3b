"""Estimates the size of a game from a sample: how many nodes its tree has, and how many distinct positions there are.

To estimate the nodes of the tree, follow random paths, and multiply the numbers of moves along each path. The products
estimate the number of nodes of each level (D. E. Knuth 1975, "Estimating the efficiency of backtrack programs",
Mathematics of Computation 29). The estimate is unbiased, but rare paths with many moves make the estimate uncertain.

To estimate the distinct positions, count the first levels completely. The later levels are sampled by random paths from
the last counted level. The size of a level is the number of all moves of the previous level, divided by the average
number of moves that lead to one position. This average is estimated from the number of paths that meet in the same
child. (Biologists estimate the size of a population in the same way, from the animals that they catch twice.) If levels
are so large that paths hardly ever meet, the average is extrapolated from earlier levels. The estimate assumes that all
positions of a level are alike.
"""

import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.formatting import round_roughly
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.errors import GamesearchError
from gamesearch.game import Game

__all__ = ["LONGEST", "MANY", "Estimate", "estimate_size", "fit_line", "refuse_if_hopeless"]


# The number of positions. -------------------------------------------------------------------------
PATHS = 300  # the number of random paths that estimate the size of the tree
LONGEST = 400  # the greatest length of a path and the greatest number of levels
FEW = 6_000
"""The first levels are counted completely, until they contain more than this number of positions. The count takes less
than a second."""
SAMPLE = 1_000  # the number of random paths from the last level that was counted completely
FEWER = 100
"""The number of random paths to follow if two paths seldom meet in the same position. Such paths only estimate the mean
number of moves of a position, so few of them are enough."""
MOST_LOOKS = 15_000
"""The greatest number of visited positions. If a game needs more positions, its estimate is very rough."""
LEAST_MET = 20  # an average is estimated only if paths meet in the same child at least this number of times


@dataclass(frozen=True)
class Estimate:
    """The estimated size of the game that begins at a position."""

    positions: float  # the number of distinct positions
    is_counted: bool  # whether all positions were counted; if so, their number is exact
    is_extrapolated: bool
    """Whether random paths almost never met at some level. If so, the true number of positions may be many times the
    estimate."""
    nodes: float
    nodes_error: float  # the relative standard error of the estimated number of nodes
    moves: float
    plies: int  # the number of levels that were counted or estimated
    seconds: float
    looked_at: int  # the number of positions whose moves were generated


def estimate_size(game: Game, state: Any, *, few: int = FEW, sample: int = SAMPLE, seed: int = 1) -> Estimate:
    """Estimate the size of the game that begins at a state. Equal seeds give equal estimates.

    >>> from gamesearch import load
    >>> nim = load("nim(heaps=3-4-5)")
    >>> estimate_size(nim, nim.initial()).positions
    232.0
    """
    begun, dice = time.perf_counter(), random.Random(seed)
    counting = PositionCounter(game, state, few, sample, dice)
    counting.count()
    sizes: list[float] = []
    while len(sizes) < PATHS and math.isfinite(sum(sizes)):  # some trees have more nodes than a float can represent
        sizes.append(tree_size(game, state, dice))
    nodes = statistics.fmean(sizes) if math.isfinite(sum(sizes)) else math.inf
    spread = statistics.stdev(sizes) / math.sqrt(len(sizes)) if math.isfinite(nodes) else math.inf
    return Estimate(
        positions=float(round(counting.total)),
        is_counted=counting.is_whole,
        is_extrapolated=not counting.can_tell,
        nodes=nodes,
        nodes_error=spread / nodes if math.isfinite(spread) else math.inf,
        moves=counting.edges / counting.total,
        plies=counting.plies,
        seconds=time.perf_counter() - begun,
        looked_at=counting.looked_at,
    )


def tree_size(game: Game, state: Any, dice: random.Random) -> float:
    """Estimate from one random path how many nodes the tree has; the estimate is unbiased."""
    nodes = width = 1.0
    for _ in range(LONGEST):
        moves = [] if game.terminal(state) else game.steps(state)
        if not moves:
            break
        width *= len(moves)
        nodes += width
        if math.isinf(nodes):
            break
        state = game.result(state, dice.choice(moves))
    return nodes


def children_of(game: Game, state: Any) -> list[Any]:
    """The positions after each move or outcome."""
    return [] if game.terminal(state) else [game.result(state, step) for step in game.steps(state)]


class PositionCounter:
    """Counts the positions of a game level by level: first completely, then by random paths."""

    def __init__(self, game: Game, state: Any, few: int, paths: int, dice: random.Random) -> None:
        self.game, self.few, self.paths, self.dice = game, few, paths, dice
        self.level = {game.key(state): state}
        """The positions of the current level that no earlier level contains, indexed by their keys."""
        self.met = set(self.level)
        """The keys of all counted positions."""
        self.total, self.edges, self.plies, self.looked_at = 1.0, 0.0, 0, 0
        self.is_whole = self.can_tell = True
        self.ratios: list[tuple[int, float]] = []
        """Pairs of a ply and the average number of moves that lead to a position at this ply. Plies without an estimate
        are left out."""
        self.evenness = 1.0
        """A factor that corrects the average number of moves that lead to a position. Random paths favor positions to
        which many moves lead. So paths meet more often than uniformly chosen positions would. Without this factor,
        estimates would be too small."""

    def count(self) -> None:
        """Count or estimate each level, up to the last."""
        while self.level and self.total <= self.few and self.plies < LONGEST:
            self.count_level()
        if self.level and self.plies < LONGEST:
            self.is_whole = False
            self.follow_paths()
            self.can_tell &= self.plies < LONGEST and self.looked_at < MOST_LOOKS

    def count_level(self) -> None:
        """Find all positions of the next level."""
        edges, children, met = self.moves_of(self.level.values())
        self.edges += edges
        mean = edges / max(1, len(children))
        self.evenness = mean * edges / max(1, sum(times * times for times in met.values()))
        self.level = {key: child for key, child in children.items() if key not in self.met}
        self.met |= self.level.keys()
        self.total += len(self.level)
        self.plies += bool(self.level)
        if self.level:
            self.ratios.append((self.plies, mean))

    def moves_of(self, states: Iterable[Any]) -> tuple[int, dict[Any, Any], Counter[Any]]:
        """Generate all moves of some positions. Returns the number of moves, the children by key, and how many moves
        lead to each child."""
        edges, children, met = 0, dict[Any, Any](), Counter[Any]()
        for state in states:
            self.looked_at += 1
            for child in children_of(self.game, state):
                edges += 1
                key = self.game.key(child)
                children.setdefault(key, child)
                met[key] += 1
        return edges, children, met

    def follow_paths(self) -> None:
        """Estimate the remaining levels by random paths from positions of the last counted level."""
        size = float(len(self.level))
        paths = self.dice.sample(list(self.level.values()), min(self.paths, len(self.level)))
        while paths and self.plies < LONGEST and math.isfinite(self.total) and self.looked_at < MOST_LOOKS:
            steps = [children_of(self.game, state) for state in paths]
            self.looked_at += len(paths)
            self.edges += size * sum(map(len, steps)) / len(paths)
            self.plies += 1
            ratio = self.seen_ratio(paths, steps, size)
            if ratio is None and self.paths > FEWER:
                # Paths also rarely meet near the end of a game, but the levels near the end are too small to matter.
                self.can_tell = size < self.total / 20
                self.paths = FEWER
                paths, steps = paths[:FEWER], steps[:FEWER]
            fresh = [[child for child in each if self.game.key(child) not in self.met] for each in steps]
            size *= sum(map(len, fresh)) / len(paths) / (ratio or self.expected_ratio())
            self.total += size
            paths = [self.dice.choice(each) for each in fresh if each]

    def seen_ratio(self, paths: list[Any], steps: list[list[Any]], size: float) -> float | None:
        """The average number of moves that lead to a position of the next level. The result is None if paths meet too
        rarely."""
        if self.paths <= FEWER:
            return None
        key = self.game.key
        apart = {key(state): each for state, each in zip(paths, steps, strict=True)}
        keys = [key(child) for each in apart.values() for child in each]
        distinct, share = len(set(keys)), min(1.0, len(apart) / size)
        if len(keys) - distinct < LEAST_MET:
            return None
        ratio: float = max(1.0, moves_to_each(len(keys), distinct, share) * self.evenness ** (1 - share))
        self.ratios.append((self.plies, ratio))
        return ratio

    def expected_ratio(self) -> float:
        """Estimate the average number of moves that lead to a position of the current ply, by extrapolation from
        earlier plies.

        If pieces can be placed anywhere, the average grows in proportion to the ply. If pieces obstruct each other, the
        average grows in proportion to the square root of the ply. The function fits both kinds of growth to the earlier
        plies, and uses the kind that fits better.
        """
        plies, ratios = [ply for ply, _ in self.ratios], [ratio for _, ratio in self.ratios]
        if len(set(ratios)) < 2:
            return ratios[-1]

        def fit(grows: Callable[[float], float]) -> tuple[float, float]:
            slope, intercept = fit_line([grows(ply) for ply in plies], ratios)
            off = math.fsum((intercept + slope * grows(p) - r) ** 2 for p, r in self.ratios)
            return off, intercept + slope * grows(self.plies)

        return max(1.0, min(fit(float), fit(math.sqrt))[1])


def fit_line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """The slope and intercept of a line through points, fitted by least squares.

    `statistics.linear_regression` is not used, because it rounds differently before Python 3.12.

    >>> fit_line([0, 1, 2], [1, 3, 5])
    (2.0, 1.0)
    """
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    slope = math.fsum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / math.fsum((a - x) ** 2 for a in xs)
    return slope, y - slope * x


def moves_to_each(edges: int, distinct: int, share: float) -> float:
    """The average number of moves that lead to each position of a level, estimated from a sample of these moves.

    The sample contains `edges` moves; this is a fraction `share` of all moves. These `edges` moves lead to `distinct`
    positions. If m moves lead to a position, at least one of them is in the sample with probability 1 - (1 - share)^m.
    So edges / distinct is m * share / (1 - (1 - share)^m), which grows with m.

    >>> moves_to_each(400, 200, 1.0), round(moves_to_each(200, 150, 0.5), 3)
    (2.0, 2.0)
    """
    wanted = edges / distinct
    if share >= 1.0 or wanted <= 1.0:
        return max(wanted, 1.0)
    low, high = 1.0, edges / share
    for _ in range(100):
        middle = (low + high) / 2
        met = middle * share / -math.expm1(middle * math.log1p(-share))
        low, high = (middle, high) if met < wanted else (low, middle)
    return low


# Hopeless games. ----------------------------------------------------------------------------------
MANY = 1 << 20
"""If a solver needs room for more positions than this, it first estimates the number of positions."""
HOPELESS = 5
"""Solving is hopeless if the estimated memory is more than HOPELESS times the available memory. All estimates in
docs/reference/estimates.md are less than HOPELESS times the true number."""


def refuse_if_hopeless(estimate: Estimate, size: float, most_bytes: int = 0) -> None:
    """Raise GamesearchError if `size`, the estimated memory in bytes, is more than HOPELESS times `most_bytes` (by
    default, the machine's memory)."""
    most_bytes = most_bytes or physical_memory()
    if size > HOPELESS * most_bytes:
        raise GamesearchError(
            f"about {round_roughly(estimate.positions)} positions (a rough estimate) are far too many for "
            f"{most_bytes // MEGABYTE:,} MB of memory: give a position near the end of a game, or use `gamesearch "
            "analyze`"
        )
