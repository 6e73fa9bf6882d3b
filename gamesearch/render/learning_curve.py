"""Strength against games of learning: a chart, in the terminal or as SVG."""

from rich.console import RenderableType
from rich.text import Text

from gamesearch.errors import GamesearchError
from gamesearch.learn.unfinished import Curve
from gamesearch.render.chart import Axis, ChartView, Series
from gamesearch.render.chart_scale import Span
from gamesearch.render.chart_svg import chart_svg
from gamesearch.render.growth import letters

__all__ = ["curve_svg", "curve_view"]

SCALE = Span([0.0, 100.0])


def chart_of(curve: Curve) -> ChartView:
    """For each opponent the share of points, in percent, after so many games.

    Raises GamesearchError where nobody wins.
    """
    opponents = [each.opponent for each in curve[-1][1]] if curve else []
    if not opponents:
        raise GamesearchError("there is nothing to plot: nobody wins or loses in this game")
    matches = [each for _, beat in curve for each in beat]
    series = [
        Series(letter, f"against {name}", [100 * each.points / each.games for each in matches if each.opponent == name])
        for letter, name in zip(letters(len(opponents)), opponents, strict=True)
    ]
    return ChartView(series, "% won", Axis("games", [f"{games:,}" for games, _ in curve]), SCALE)


def curve_view(curve: Curve) -> list[RenderableType]:
    """The chart in characters, and what its letters stand for."""
    chart = chart_of(curve)
    return [chart, Text(), *(Text(f"{each.letter}  {each.name}") for each in chart.series), Text()]


def curve_svg(curve: Curve, subject: str) -> str:
    """The chart as SVG; the subject is what was learned."""
    return chart_svg(chart_of(curve), subject)
