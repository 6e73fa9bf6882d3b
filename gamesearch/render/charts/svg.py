"""Charts as SVG, for light and dark pages.

Series can be distinguished without colors: they differ in the shape of their marks and the dashes of their lines, and
each line has a letter at its end.
"""

import math
from collections.abc import Iterable, Iterator

from gamesearch.render.charts.chart import ChartView
from gamesearch.render.formats.svg import image, line, text

__all__ = ["WIDTH", "chart_svg", "color", "paint_attributes", "titled_image"]

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 96, 40, 84, 48
"""The margins of the plot."""
LINE = 20
"""The height of a line of the legend."""
SIZE = 5
"""Half the size of a mark."""
BAR = 6
"""The width of the bar that shows a range."""
LETTER = 13
"""The height of a letter."""
RIGHT_ALIGNED = ' text-anchor="end"'
MIDDLE = ' text-anchor="middle"'
LONGEST = 110
"""The greatest number of characters of a subtitle; longer subtitles are cropped."""
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2", "12 4")
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "plus")
LIGHT = {
    "ink": "#1f2328", "faint": "#6e7781", "rule": "#d8dee4", "page": "#ffffff",
    "c0": "#0a6640", "c1": "#8a3ffc", "c2": "#0b5cad", "c3": "#9a5b00", "c4": "#b3261e", "c5": "#5c6400",
}  # fmt: skip
DARK = {
    "ink": "#e6edf3", "faint": "#9aa4af", "rule": "#363d46", "page": "#0d1117",
    "c0": "#4ade95", "c1": "#c4a5ff", "c2": "#79b8ff", "c3": "#f2b84b", "c4": "#ff8a80", "c5": "#d3dc5a",
}  # fmt: skip


def variables(colors: dict[str, str]) -> str:
    """Definitions of CSS variables for the colors."""
    return " ".join(f"--{name}: {value};" for name, value in colors.items())


STYLE = f"""\
  svg {{ {variables(LIGHT)} }}
  @media (prefers-color-scheme: dark) {{ svg {{ {variables(DARK)} }} }}
  text {{ font: 13px system-ui, sans-serif; fill: {LIGHT["ink"]}; fill: var(--ink); }}
  .title {{ font-weight: 600; font-size: 15px; }}
  .faint {{ fill: {LIGHT["faint"]}; fill: var(--faint); }}
  .rule {{ stroke: {LIGHT["rule"]}; stroke: var(--rule); }}"""
"""Each color is given twice, because some programs do not support variables. These programs use the light colors."""


def paint_attributes(**colors: str) -> str:
    """SVG attributes such as fill and stroke. The colors are given by name."""
    plain = " ".join(f'{name}="{LIGHT[color]}"' for name, color in colors.items())
    style = "; ".join(f"{name}: var(--{color})" for name, color in colors.items())
    return f'{plain} style="{style}"'


def titled_image(height: float, title: str, subject: str, parts: Iterable[str]) -> str:
    """A picture, such as a chart, with a title and a subtitle. The width is the same for all charts."""
    subtitle = subject if len(subject) <= LONGEST else f"{subject[:LONGEST]}..."
    heading = [
        f'<rect width="{WIDTH}" height="{height}" {paint_attributes(fill="page")}/>',
        text(20, 24, title, "title"),
        text(20, 44, subtitle, "faint", ' style="font-size: 12px"'),
    ]
    return image((WIDTH, height), f"{title}: {subject}", STYLE, [*heading, *parts], scales=True)


def chart_svg(chart: ChartView, subject: str) -> str:
    """The chart as the text of an SVG image; `subject` is its subtitle."""
    return Drawing(chart).text(subject)


class Drawing:
    """Draws one chart: its scales and its parts."""

    def __init__(self, chart: ChartView) -> None:
        self.series, self.unit, self.axis, self.scale = chart.series, chart.unit, chart.axis, chart.scale
        self.foot = HEIGHT + LINE * sum(1 for each in self.series if each.notes)
        """The top of the legend."""
        self.depths = max([len(each.counts) for each in self.series] + [1])

    def text(self, subject: str) -> str:
        """The text of the file."""
        title = f"{self.unit[:1].upper()}{self.unit[1:]} against {self.axis.name}"
        parts = [
            *self.axes(),
            *self.notes(),
            *(part for number in range(len(self.series)) for part in (*self.curve(number), *self.legend(number))),
            *self.letters(),
        ]
        return titled_image(self.foot + LINE * len(self.series), title, subject, parts)

    def x(self, depth: int) -> float:
        """The x coordinate that stands for a depth."""
        return LEFT + (depth - 0.5) / self.depths * (WIDTH - LEFT - RIGHT)

    def y(self, count: float) -> float:
        """The y coordinate that stands for a number."""
        return HEIGHT - BOTTOM - self.scale.share(count) * (HEIGHT - TOP - BOTTOM)

    def axes(self) -> Iterator[str]:
        """The lines and labels of both axes."""
        for share, label in self.scale.marks:
            y = HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
            yield line((LEFT, y), (WIDTH - RIGHT, y), "rule")
            yield text(LEFT - 8, y + 4, label, "faint", RIGHT_ALIGNED)
        for depth in range(1, self.depths + 1):
            yield text(self.x(depth), HEIGHT - BOTTOM + 20, self.axis.label(depth - 1), "faint", MIDDLE)
        yield text(LEFT - 8, TOP - 14, self.unit, "faint", RIGHT_ALIGNED)
        yield text(LEFT - 8, HEIGHT - BOTTOM + 20, self.axis.name, "faint", RIGHT_ALIGNED)

    def notes(self) -> Iterator[str]:
        """The notes on the numbers. Below the depths, each series has a line with its notes."""
        for row, series in enumerate(each for each in self.series if each.notes):
            y = HEIGHT - BOTTOM + 20 + LINE * (row + 1)
            yield text(LEFT - 8, y, series.letter, "", RIGHT_ALIGNED)
            for depth, note in enumerate(series.notes, 1):
                yield text(self.x(depth), y, note, "", MIDDLE)

    def curve(self, number: int) -> Iterator[str]:
        """The line of a series, its ranges, its marks, and its letter at the end."""
        series = self.series[number]
        if not series.counts:
            return
        points = [(self.x(depth), self.y(count)) for depth, count in enumerate(series.counts, 1)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke-width="1.5" {self.stroke(number)}/>'
        for depth, (low, high) in enumerate(series.ranges, 1):
            x = self.x(depth) + (number - (len(self.series) - 1) / 2) * (BAR + 1)  # side by side
            bar = f' stroke-width="{BAR}" stroke-opacity="0.35" {paint_attributes(stroke=color(number))}'
            yield line((x, self.y(low)), (x, self.y(high)), "range", bar)
        if not series.is_theory:
            for x, y in points:
                yield shape(number, x, y)

    def letters(self) -> Iterator[str]:
        """The letter of each series at the end of its line. If letters would overlap, one is drawn below the other."""
        lowest = dict.fromkeys(range(self.depths + 1), -math.inf)
        for series in sorted((each for each in self.series if each.counts), key=lambda each: -each.counts[-1]):
            depth = len(series.counts)
            y = lowest[depth] = max(self.y(series.counts[-1]), lowest[depth] + LETTER)
            yield text(self.x(depth) + 22, y + 4, series.letter)

    def legend(self, number: int) -> Iterator[str]:
        """The entry of a series in the legend: its line, its mark and its name."""
        series, y = self.series[number], self.foot + LINE * number
        yield line((LEFT - 60, y), (LEFT - 24, y), more=f' stroke-width="1.5" {self.stroke(number)}')
        if not series.is_theory:
            yield shape(number, LEFT - 42, y)
        yield text(LEFT - 10, y + 4, f"{series.letter}  {series.name}")

    def stroke(self, number: int) -> str:
        """The SVG attributes for the line of a series: its color and its dashes."""
        dash = DASHES[number % len(DASHES)]
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        return paint_attributes(stroke="faint" if self.series[number].is_theory else color(number)) + dashes


def color(number: int) -> str:
    """The name of the color of a series."""
    return f"c{number % len(SHAPES)}"


def shape(number: int, x: float, y: float) -> str:
    """The shape that marks the point (x, y) of a series."""
    paths = {
        "square": f"M{x - SIZE:.1f} {y - SIZE:.1f}h{2 * SIZE}v{2 * SIZE}h-{2 * SIZE}z",
        "triangle": f"M{x:.1f} {y - SIZE:.1f}l{SIZE} {2 * SIZE}h-{2 * SIZE}z",
        "diamond": f"M{x:.1f} {y - SIZE - 1:.1f}l{SIZE + 1} {SIZE + 1}l-{SIZE + 1} {SIZE + 1}l-{SIZE + 1} -{SIZE + 1}z",
        "cross": f"M{x - SIZE:.1f} {y - SIZE:.1f}l{2 * SIZE} {2 * SIZE}m0 -{2 * SIZE}l-{2 * SIZE} {2 * SIZE}",
        "plus": f"M{x - SIZE:.1f} {y:.1f}h{2 * SIZE}m-{SIZE} -{SIZE}v{2 * SIZE}",
    }
    name = SHAPES[number % len(SHAPES)]
    style = f'class="mark {name}" {paint_attributes(fill="page", stroke=color(number))} stroke-width="2"'
    if name == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{SIZE}" {style}/>'
    return f'<path d="{paths[name]}" {style}/>'
