"""How value and choice of a search by playouts settle, the more playouts it makes, and from one seed to another."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.tree_search.sampling import PLAYOUTS, SamplingAlgorithm
from gamesearch.game import Game

__all__ = ["Convergence", "Point", "converge", "playout_counts", "plays_out"]


@dataclass(frozen=True)
class Point:
    """Searches with so many playouts, one for each seed."""

    playouts: int
    values: tuple[float, ...]
    """Max's; of more than two players, of the one who moves."""
    choices: tuple[int | None, ...]
    """The best moves that they found; None where it is chance's turn."""

    @property
    def value(self) -> float:
        """The middle of the values."""
        return statistics.median(self.values)

    @property
    def choice(self) -> int | None:
        """The move that most of them chose; of equally many, the one found first."""
        return Counter(self.choices).most_common(1)[0][0]

    @property
    def share(self) -> float:
        """The part of them that chose it."""
        return Counter(self.choices).most_common(1)[0][1] / len(self.choices)


@dataclass
class Convergence:
    """What one algorithm found with more and more playouts; one that makes none found the same each time."""

    algorithm: Algorithm
    points: list[Point] = field(default_factory=list)
    stopped: str = ""
    """Why the last search was stopped, which is not among these."""
    speed: str = ""
    """At which it searched."""


def plays_out(algorithm: Algorithm) -> bool:
    """Whether an algorithm makes playouts, so that there can be more of them."""
    return isinstance(algorithm, SamplingAlgorithm)


def playout_counts(algorithms: Sequence[Algorithm], most: int | None) -> list[int]:
    """How many playouts are tried: 10, 20, 50, 100, ... up to those asked for, or the most that an algorithm says.

    >>> playout_counts([], 300)
    [10, 20, 50, 100, 200, 300]
    """
    named = [each.playouts for each in algorithms if isinstance(each, SamplingAlgorithm)]
    last = most or max(named, default=0) or PLAYOUTS
    counts, power = list[int](), 10
    while power < last:
        counts += [factor * power for factor in (1, 2, 5)]
        power *= 10
    return [*(count for count in counts if count < last), last]


def converge(
    game: Game[Any],
    state: Any,
    algorithms: Sequence[Algorithm],
    counts: Sequence[int],
    seeds: int,
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> list[Convergence]:
    """Search with each algorithm and each count of playouts, with so many seeds: 0, 1, ...

    Where the algorithm has a seed of its own, they are that and those after it. The limits are for each search.
    """
    for algorithm in algorithms:
        algorithm.fits(game)
    found = []
    for algorithm in algorithms:
        convergence = Convergence(algorithm)
        found.append(convergence)
        variants = seeded(algorithm, counts, seeds)
        for count in counts:
            results = [
                search_with(game, state, each, limits, speed=speed, monitor=monitor) for each in variants.get(count, ())
            ]
            for each in results:
                convergence.speed, convergence.stopped = each.statistics.speed, convergence.stopped or each.stopped
            if convergence.stopped:
                break
            if results:
                convergence.points.append(point(game, state, count, results))
            else:  # the same, beside so many playouts of others
                convergence.points.append(replace(convergence.points[-1], playouts=count))
        if monitor is not None and monitor.interrupted:
            break
    return found


def seeded(algorithm: Algorithm, counts: Sequence[int], seeds: int) -> dict[int, list[Algorithm]]:
    """The searches to make at each count; where an algorithm makes no playouts, one, at the first."""
    if not isinstance(algorithm, SamplingAlgorithm):
        return {counts[0]: [algorithm]}
    first = int(algorithm.seed or 0)
    return {
        count: [algorithm.changed(playouts=count, seed=first + number) for number in range(seeds)] for count in counts
    }


def point(game: Game[Any], state: Any, playouts: int, results: Sequence[SearchResult]) -> Point:
    """What some searches found."""
    player = max(game.player(state), 0)
    found = (each.value for each in results)
    values = tuple(float(value[player] if isinstance(value, tuple) else value or 0.0) for value in found)
    return Point(playouts, values, tuple(each.best for each in results))
