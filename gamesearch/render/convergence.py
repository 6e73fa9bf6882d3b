"""Value and choice against playouts: a chart, and the numbers."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, plural, value_text
from gamesearch.algorithms.engine.result import WHY_STOPPED
from gamesearch.game import Game
from gamesearch.render.chart import Axis, ChartView, Series, numbers_of
from gamesearch.render.chart_scale import Span
from gamesearch.render.chart_svg import chart_svg
from gamesearch.render.growth import letters
from gamesearch.render.narrow import tables_of
from gamesearch.render.tables import number_column, plain_table
from gamesearch.study.convergence import Convergence, Point, plays_out

__all__ = ["ConvergenceView", "convergence_data", "convergence_svg"]


def choice(game: Game[Any], state: Any, found: Point) -> str:
    """The move that most searches chose; empty at a chance node."""
    return "" if found.choice is None else game.move_name(state, found.choice)


def series_of(game: Game[Any], state: Any, found: Sequence[Convergence]) -> list[Series]:
    """The curves of the chart: the middle of the values, from the least to the greatest, and the choices."""
    return [
        Series(
            letter,
            each.algorithm.specification,
            [at.value for at in each.points],
            [(min(at.values), max(at.values)) for at in each.points] if plays_out(each.algorithm) else [],
            notes=[choice(game, state, at) for at in each.points],
        )
        for letter, each in zip(letters(len(found)), found, strict=True)
    ]


def chart_of(game: Game[Any], state: Any, found: Sequence[Convergence]) -> ChartView:
    """The curves against the playouts of the longest."""
    curves, longest = series_of(game, state, found), max(found, key=lambda each: len(each.points))
    axis = Axis("playouts", [short(at.playouts) for at in longest.points])
    return ChartView(curves, "value", axis, Span(numbers_of(curves)))


def short(count: int) -> str:
    """A count in few characters.

    >>> short(50), short(2_000), short(1_000_000), short(2_500)
    ('50', '2k', '1M', '2500')
    """
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size and count % size == 0:
            return f"{count // size}{letter}"
    return str(count)


class ConvergenceView:
    """The chart, what its letters mean, and the numbers."""

    def __init__(self, game: Game[Any], state: Any, found: Sequence[Convergence]) -> None:
        self.chart, self.found = chart_of(game, state, found), found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part."""
        yield self.chart
        yield Text()
        seeds = max((len(at.values) for each in self.found for at in each.points), default=1)
        if seeds > 1:
            yield Text(
                f"a letter stands at the middle of {plural(seeds, 'seed')}, colons from the least value to the greatest"
            )
        yield Text("below the chart: the move that most of the searches choose")
        for table in tables_of(list(zip(self.chart.series, self.found, strict=True)), self.numbers, console, options):
            yield Text()
            yield table
        yield from map(Text, self.sentences())

    def numbers(self, columns: Sequence[tuple[Series, Convergence]]) -> Table:
        """Values, choices and how many agree, of some algorithms: a row for each count of playouts."""
        names = [name for curve, _ in columns for name in (curve.letter, "choice", "agree")]
        longest = max((each for _, each in columns), key=lambda each: len(each.points))
        rows = (
            (f"{at.playouts:,}", *(cell for curve, each in columns for cell in self.cells(curve, each, row)))
            for row, at in enumerate(longest.points)
        )
        return plain_table(*map(number_column, ("playouts", *names)), rows=rows, gap=2)

    def cells(self, curve: Series, each: Convergence, row: int) -> tuple[str, str, str]:
        """What an algorithm found with so many playouts."""
        if row >= len(each.points):
            return "", "", ""
        at = each.points[row]
        return value_text(at.value), curve.notes[row], f"{100 * at.share:.0f} %" if len(at.values) > 1 else ""

    def sentences(self) -> Iterator[str]:
        """What was stopped."""
        for letter, each in zip(letters(len(self.found)), self.found, strict=True):
            if each.stopped:
                most = each.points[-1].playouts if each.points else 0
                yield f"{letter} ends after {plural(most, 'playout')}: {WHY_STOPPED[each.stopped]}"


def convergence_svg(game: Game[Any], state: Any, found: Sequence[Convergence], subject: str) -> str:
    """The chart as SVG."""
    return chart_svg(chart_of(game, state, found), subject)


def convergence_data(game: Game[Any], state: Any, found: Sequence[Convergence]) -> dict[str, Any]:
    """The same as JSON has it."""
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
