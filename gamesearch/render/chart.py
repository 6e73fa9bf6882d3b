"""Counts against depth on a logarithmic scale, in characters."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

__all__ = ["ChartView", "Series"]

ROWS_OF_DECADE = 4
"""How many lines a factor of ten has at the most."""
MOST_ROWS = 20
NARROWEST, WIDEST = 3, 8
"""How many characters there are for one depth, besides a letter for each series."""
STYLES = ("green", "magenta", "cyan", "yellow", "blue", "red")
"""Colours that read on a light background and on a dark one; the letters tell the series apart by themselves."""


@dataclass(frozen=True)
class Series:
    """Counts at depth 1, 2, ...; for some of them maybe from where to where they may go."""

    letter: str
    name: str
    counts: Sequence[float]
    ranges: Sequence[tuple[float, float]] = ()
    is_theory: bool = False


class ChartView:
    """A letter for each count; each series has a place of its own in every depth, so that none hides another."""

    def __init__(self, series: Sequence[Series], unit: str = "nodes") -> None:
        self.series, self.unit = series, unit

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the chart and, below, the depths."""
        depths = max((len(each.counts) for each in self.series), default=0)
        if depths == 0:
            return
        most = max(max(each.counts, default=1) for each in self.series)
        most = max(most, *(high for each in self.series for _, high in each.ranges), 10)
        decades = math.ceil(math.log10(most))
        self.rows_of_decade = max(1, min(ROWS_OF_DECADE, MOST_ROWS // decades))
        margin = len(f"{10**decades:,}") + 1
        self.step = max(
            NARROWEST, min(len(self.series) + 2, WIDEST + len(self.series), (options.max_width - margin - 1) // depths)
        )
        yield Text(f"{self.unit:>{margin}}", style="dim")
        frame = "|" if options.ascii_only else "│"
        for row in range(decades * self.rows_of_decade, -1, -1):
            is_decade = row % self.rows_of_decade == 0
            label = f"{10 ** (row // self.rows_of_decade):,}" if is_decade else ""
            text = Text.assemble((f"{label:>{margin}}{frame}", "dim"), *self.cells(row, depths), no_wrap=True)
            text.rstrip()
            yield text
        line = ("-" if options.ascii_only else "─") * (depths * self.step)
        yield Text(" " * margin + ("+" if options.ascii_only else "└") + line, style="dim", no_wrap=True)
        labels = "".join(f"{depth:^{self.step}}" for depth in range(1, depths + 1))
        yield Text(f"{'depth':>{margin}} {labels}".rstrip(), style="dim", no_wrap=True)

    def cells(self, row: int, depths: int) -> Iterator[tuple[str, str]]:
        """The characters of a line, each with its style."""
        for depth in range(depths):
            places = [(" ", "")] * self.step
            for number, series in enumerate(self.series):
                mark = self.mark(series, depth, row)
                if mark:
                    places[self.place(number)] = mark, self.style(number)
            yield from places

    def place(self, number: int) -> int:
        """Where in a depth a series has its letter; they share places where there are too few."""
        start = max(0, (self.step - len(self.series)) // 2)
        return start + number if start + number < self.step else number % self.step

    def style(self, number: int) -> str:
        """The style of a series."""
        return "dim" if self.series[number].is_theory else f"bold {STYLES[number % len(STYLES)]}"

    def mark(self, series: Series, depth: int, row: int) -> str:
        """What a series has in a line at a depth: its letter, a part of its range, or nothing."""
        if depth >= len(series.counts):
            return ""
        if self.row_of(series.counts[depth]) == row:
            return series.letter
        if depth < len(series.ranges):
            low, high = series.ranges[depth]
            return ":" if self.row_of(low) <= row <= self.row_of(high) else ""
        return ""

    def row_of(self, count: float) -> int:
        """The line of a count, from below."""
        return round(math.log10(max(1.0, count)) * self.rows_of_decade)
