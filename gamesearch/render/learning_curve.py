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

UNIT = "% won"
SCALE = Span([0.0, 100.0])


def series_of(curve: Curve) -> list[Series]:
    """For each opponent the share of points, in percent; raises GamesearchError where nobody wins."""
    opponents = [each.opponent for each in curve[-1][1]] if curve else []
    if not opponents:
        raise GamesearchError("there is nothing to plot: nobody wins or loses in this game")
    matches = [each for _, beat in curve for each in beat]
    return [
        Series(letter, f"against {name}", [100 * each.points / each.games for each in matches if each.opponent == name])
        for letter, name in zip(letters(len(opponents)), opponents, strict=True)
    ]


def axis_of(curve: Curve) -> Axis:
    """The games before each match."""
    return Axis("games", [f"{games:,}" for games, _ in curve])


def curve_view(curve: Curve) -> list[RenderableType]:
    """The chart in characters, and what its letters stand for."""
    series = series_of(curve)
    names = [Text(f"{each.letter}  {each.name}") for each in series]
    return [ChartView(series, UNIT, axis_of(curve), SCALE), Text(), *names, Text()]


def curve_svg(curve: Curve, subject: str) -> str:
    """The chart as SVG; the subject is what was learned."""
    return chart_svg(series_of(curve), subject, UNIT, axis_of(curve), SCALE)
