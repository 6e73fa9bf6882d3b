"""Charts made of characters. They show how numbers depend on the depth or on the number of playouts. The scale is
linear or logarithmic."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import value_text

__all__ = ["DEPTH", "Axis", "ChartScale", "ChartView", "Decades", "Series", "Span", "numbers_of"]

ROWS_OF_DECADE = 4
"""The greatest number of lines between two powers of ten, if the scale is logarithmic."""
MOST_ROWS = 20
SPAN_ROWS = 12
"""The number of lines of a linear scale."""
SPAN_MARKS = 4
"""The marks divide a linear scale into this number of parts."""


class Decades:
    """A logarithmic scale, from 1 to a power of ten."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self.decades = math.ceil(math.log10(max([10.0, *numbers])))

    @property
    def rows(self) -> int:
        """The number of lines of the scale, not counting the lowest line."""
        return self.decades * max(1, min(ROWS_OF_DECADE, MOST_ROWS // self.decades))

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The powers of ten."""
        return [(power / self.decades, f"{10**power:,}") for power in range(self.decades + 1)]

    def share(self, number: float) -> float:
        """The height of a number in the chart, from 0 (bottom) to 1 (top)."""
        return math.log10(max(1.0, number)) / self.decades


class Span:
    """A linear scale that begins at the least of some numbers and ends at the greatest."""

    def __init__(self, numbers: Iterable[float]) -> None:
        found = list(numbers) or [0.0]
        self.least, self.greatest = min(found), max(found)
        if self.least == self.greatest:
            self.least, self.greatest = self.least - 1, self.greatest + 1
        self.rows = SPAN_ROWS

    @property
    def marks(self) -> list[tuple[float, str]]:
        """The two ends of the scale, and numbers at equal distances between the ends."""
        shares = [part / SPAN_MARKS for part in range(SPAN_MARKS + 1)]
        return [(share, value_text(round(self.least + share * (self.greatest - self.least), 4))) for share in shares]

    def share(self, number: float) -> float:
        """The height of a number in the chart, from 0 (bottom) to 1 (top)."""
        return (number - self.least) / (self.greatest - self.least)


ChartScale = Decades | Span
"""The vertical scale of a chart. It determines how high each number is drawn, which marks there are, and the number of
lines."""


NARROWEST, WIDEST = 3, 8
"""The least and the greatest width of the column for a depth. If there is space, the letters of the series make it
wider."""
STYLES = ("green", "magenta", "cyan", "yellow", "blue", "red")
"""Colors that are readable on light and dark backgrounds. If the terminal has no colors, letters distinguish the
series."""


@dataclass(frozen=True)
class Series:
    """A curve: a number for each place on the horizontal axis, such as each depth. A number can have a range, such as
    the least and the greatest result of several searches."""

    letter: str
    name: str
    counts: Sequence[float]
    ranges: Sequence[tuple[float, float]] = ()
    is_theory: bool = False
    notes: Sequence[str] = ()
    """A note below each number, such as a move."""


@dataclass(frozen=True)
class Axis:
    """The horizontal axis of a chart."""

    name: str
    labels: Sequence[str] = ()
    """The label of each place; the default labels are 1, 2, ..."""

    def label(self, place: int) -> str:
        """The label of a place on the axis. Places are counted from 0."""
        return self.labels[place] if self.labels else str(place + 1)


DEPTH = Axis("depth")


def numbers_of(series: Sequence[Series]) -> list[float]:
    """The numbers of all given series, and the ends of their ranges."""
    return [number for each in series for number in (*each.counts, *chain.from_iterable(each.ranges))]


class ChartView:
    """A chart that draws each number as the letter of its series. Each series has its own column at every depth, so no
    letter is hidden."""

    def __init__(
        self, series: Sequence[Series], unit: str = "nodes", axis: Axis = DEPTH, scale: ChartScale | None = None
    ) -> None:
        self.series, self.unit, self.axis = series, unit, axis
        self.scale = scale or Decades(numbers_of(series))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the lines of the chart, the labels below the chart, and the notes of each series."""
        depths = max((len(each.counts) for each in self.series), default=0)
        if depths == 0:
            return
        marks = {round(share * self.scale.rows): label for share, label in self.scale.marks}
        margin = max(map(len, marks.values())) + 1
        self.step = max(
            NARROWEST, min(self.widest(depths), WIDEST + len(self.series), (options.max_width - margin - 1) // depths)
        )
        yield Text(f"{self.unit:>{margin}}", style="dim")
        frame, corner, line = ("|", "+", "-") if options.ascii_only else ("│", "└", "─")
        for row in range(self.scale.rows, -1, -1):
            label = marks.get(row, "")
            text = Text.assemble((f"{label:>{margin}}{frame}", "dim"), *self.cells(row, depths), no_wrap=True)
            text.rstrip()
            yield text
        yield Text(" " * margin + corner + line * (depths * self.step), style="dim", no_wrap=True)
        labels = [self.axis.label(place) for place in range(depths)]
        yield Text(self.below(self.axis.name, labels, margin), style="dim", no_wrap=True)
        for each in self.series:
            if each.notes:
                yield Text(self.below(each.letter, each.notes, margin), no_wrap=True)

    def widest(self, depths: int) -> int:
        """The number of characters that the labels and notes of one depth need."""
        labels = [self.axis.label(place) for place in range(depths)] if self.axis.labels else []
        notes = [note for each in self.series for note in each.notes]
        return max([len(self.series) + 2, *(len(text) + 1 for text in (*labels, *notes))])

    def below(self, name: str, labels: Sequence[str], margin: int) -> str:
        """A line of labels below the chart; long labels are cropped."""
        return f"{name:>{margin}} {''.join(f'{label[: self.step - 1]:^{self.step}}' for label in labels)}".rstrip()

    def cells(self, row: int, depths: int) -> Iterator[tuple[str, str]]:
        """The characters of a line, each with its style."""
        for depth in range(depths):
            places = [(" ", "")] * self.step
            for number, series in enumerate(self.series):
                if mark := self.mark(series, depth, row):
                    places[self.place(number)] = mark, self.style(number)
            yield from places

    def place(self, number: int) -> int:
        """The column of a series at a depth. If the depth has too few columns, several series share a column."""
        start = max(0, (self.step - len(self.series)) // 2)
        return start + number if start + number < self.step else number % self.step

    def style(self, number: int) -> str:
        """The style of a series."""
        return "dim" if self.series[number].is_theory else f"bold {STYLES[number % len(STYLES)]}"

    def mark(self, series: Series, depth: int, row: int) -> str:
        """The mark of a series at a depth, in one row of the chart. The row of the count contains the letter of the
        series. The other rows of the range contain `:`. All other rows are empty."""
        if depth >= len(series.counts):
            return ""
        if self.row_of(series.counts[depth]) == row:
            return series.letter
        if depth < len(series.ranges):
            low, high = series.ranges[depth]
            return ":" if self.row_of(low) <= row <= self.row_of(high) else ""
        return ""

    def row_of(self, count: float) -> int:
        """The line in which a number is drawn, counted from below."""
        return round(self.scale.share(count) * self.scale.rows)
