"""Show how the value and the best move converge when the number of playouts grows. Each search is repeated with several
seeds."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import data_number, plural
from gamesearch.algorithms.engine.result import WHY_STOPPED, Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.tree_search.sampling import PLAYOUTS, SamplingAlgorithm
from gamesearch.game import Game
from gamesearch.optional import mark_assumed
from gamesearch.render.charts.chart import Axis, ChartView, Series, Span, numbers_of
from gamesearch.render.charts.growth import letters
from gamesearch.render.tables import number_column, plain_table, tables_of
from gamesearch.render.value_words import number_text

__all__ = [
    "Convergence", "ConvergenceView", "converge", "convergence_data", "playout_counts", "plays_out",
]  # fmt: skip


# The searches. ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Point:
    """The results of one algorithm after one number of playouts, with different seeds."""

    playouts: int
    values: tuple[float, ...]
    """The values for Max, or for the player to move if the game has more than two players."""
    choices: tuple[int | None, ...]
    """The best moves of the searches; None at a chance node."""

    @property
    def value(self) -> float:
        """The median of the values."""
        return statistics.median(self.values)

    @property
    def choice(self) -> int | None:
        """The move that was chosen most often; if there are several, the first of them."""
        return Counter(self.choices).most_common(1)[0][0]

    @property
    def share(self) -> float:
        """The fraction of the searches that chose the move `choice`."""
        return Counter(self.choices).most_common(1)[0][1] / len(self.choices)


@dataclass
class Convergence:
    """The results of several searches by one algorithm. Each search makes more playouts than the search before it.

    An algorithm without playouts searches only once.
    """

    algorithm: Algorithm
    points: list[Point] = field(default_factory=list)
    stopped: str = ""
    """The reason why a search was stopped, or empty; `points` does not contain the stopped search."""
    speed: str = ""
    """The speed of the searches."""


def plays_out(algorithm: Algorithm) -> bool:
    """Whether an algorithm has a parameter for the number of playouts."""
    return isinstance(algorithm, SamplingAlgorithm)


def playout_counts(algorithms: Sequence[Algorithm], most: int | None) -> list[int]:
    """Return the numbers of playouts: 10, 20, 50, ... up to `most`. If `most` is None, the numbers end at the greatest
    number of playouts that one of the algorithms specifies.

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
    game: Game,
    state: Any,
    algorithms: Sequence[Algorithm],
    counts: Sequence[int],
    seeds: int,
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> list[Convergence]:
    """Search with each combination of an algorithm, a number of playouts and a seed.

    The seeds are successive numbers. The first seed is the parameter `seed` of the algorithm, or 0. The limits apply to
    each search.
    """
    for algorithm in algorithms:
        algorithm.fits(game)
    found = []
    for algorithm in algorithms:
        convergence = Convergence(algorithm)
        found.append(convergence)
        variants = seeded_searches(algorithm, counts, seeds)
        for count in counts:
            results = [
                search_with(game, state, each.fresh_copy(), limits, speed=speed, monitor=monitor)
                for each in variants.get(count, ())
            ]
            for each in results:
                convergence.speed, convergence.stopped = each.statistics.speed, convergence.stopped or each.stopped
            if convergence.stopped:
                break
            if results:
                convergence.points.append(make_point(game, state, count, results))
            else:  # an algorithm without playouts has the same result for every number
                convergence.points.append(replace(convergence.points[-1], playouts=count))
        if monitor is not None and monitor.interrupted:
            break
    return found


def seeded_searches(algorithm: Algorithm, counts: Sequence[int], seeds: int) -> dict[int, list[Algorithm]]:
    """Map each number of playouts to copies of the algorithm, one for each seed.

    For an algorithm without playouts, return only the algorithm itself."""
    if not isinstance(algorithm, SamplingAlgorithm):
        return {counts[0]: [algorithm]}
    first = int(algorithm.seed or 0)
    return {
        count: [algorithm.copy_with(playouts=count, seed=first + number) for number in range(seeds)] for count in counts
    }


def make_point(game: Game, state: Any, playouts: int, results: Sequence[SearchResult]) -> Point:
    """Combine the results of several searches, each of which made the same number of playouts."""
    player = max(game.player(state), 0)
    found = (each.value for each in results)
    values = tuple(float(value[player] if isinstance(value, tuple) else value or 0.0) for value in found)
    return Point(playouts, values, tuple(each.best for each in results))


# The view. ----------------------------------------------------------------------------------------
def choice(game: Game, state: Any, found: Point) -> str:
    """The name of the move that most searches chose; empty at a chance node."""
    return "" if found.choice is None else game.move_name(state, found.choice)


def chart_of(game: Game, state: Any, found: Sequence[Convergence]) -> ChartView:
    """Return a chart of the median, least and greatest values. The notes of the chart name the chosen moves."""
    curves = [
        Series(
            letter,
            each.algorithm.specification,
            [at.value for at in each.points],
            [(min(at.values), max(at.values)) for at in each.points] if plays_out(each.algorithm) else [],
            notes=[choice(game, state, at) for at in each.points],
        )
        for letter, each in zip(letters(len(found)), found, strict=True)
    ]
    longest = max(found, key=lambda each: len(each.points))
    axis = Axis("playouts", [short_count(at.playouts) for at in longest.points])
    return ChartView(curves, "value", axis, Span(numbers_of(curves)))


def short_count(count: int) -> str:
    """Format a number in few characters.

    >>> short_count(50), short_count(2_000), short_count(1_000_000), short_count(2_500)
    ('50', '2k', '1M', '2500')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size and count % size == 0:
            return f"{count // size}{letter}"
    return str(count)


class ConvergenceView:
    """Shows the chart, the meanings of its letters, and tables of the numbers."""

    def __init__(self, game: Game, state: Any, found: Sequence[Convergence]) -> None:
        self.game, self.state, self.chart, self.found = game, state, chart_of(game, state, found), found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.chart
        yield Text()
        seeds = max((len(at.values) for each in self.found for at in each.points), default=1)
        if seeds > 1:
            yield Text(f"letter: median of {plural(seeds, 'seed')}; colons: from the least value to the greatest")
        yield Text("below the chart: the move that most searches choose")
        for table in tables_of(list(zip(self.chart.series, self.found, strict=True)), self.numbers, console, options):
            yield Text()
            yield table
        yield from map(Text, self.sentences())

    def numbers(self, columns: Sequence[tuple[Series, Convergence]]) -> Table:
        """Return a table with a row for each number of playouts: the value, the chosen move, and how many searches
        agree."""
        names = [name for curve, _ in columns for name in (f"{curve.letter}: value", "move", "agree")]
        longest = max((each for _, each in columns), key=lambda each: len(each.points))
        rows = (
            (f"{at.playouts:,}", *(cell for curve, each in columns for cell in self.cells(curve, each, row)))
            for row, at in enumerate(longest.points)
        )
        return plain_table(*map(number_column, ("playouts", *names)), rows=rows, gap=2)

    def cells(self, curve: Series, each: Convergence, row: int) -> tuple[str, str, str]:
        """Return the cells of a row: the value, the chosen move, and the share of searches that chose it."""
        if row >= len(each.points):
            return "", "", ""
        at = each.points[row]
        agree = f"{100 * at.share:.0f} %" if len(at.values) > 1 else ""
        return mark_assumed(self.game, self.state, number_text(self.game, at.value)), curve.notes[row], agree

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each algorithm that was stopped."""
        for letter, each in zip(letters(len(self.found)), self.found, strict=True):
            if each.stopped:
                most = each.points[-1].playouts if each.points else 0
                yield f"{letter} ends after {plural(most, 'playout')}: {WHY_STOPPED[each.stopped]}"


def convergence_data(game: Game, state: Any, found: Sequence[Convergence]) -> dict[str, Any]:
    """The results as JSON."""
    return {
        "algorithms": [
            {
                "letter": letter,
                "algorithm": each.algorithm.specification,
                "points": [
                    {
                        "playouts": at.playouts,
                        "value": data_number(at.value),
                        "values": [data_number(value) for value in at.values],
                        "choice": choice(game, state, at) or None,
                        "agree": at.share,
                    }
                    for at in each.points
                ],
                "stopped": each.stopped,
            }
            for letter, each in zip(letters(len(found)), found, strict=True)
        ]
    }
