"""Ratings as an SVG: a point for each player, in the line of where its rating may be."""

import math
from collections.abc import Iterator

from gamesearch.play.matches.ratings import Ratings
from gamesearch.render.chart_scale import Span
from gamesearch.render.chart_svg import STYLE, painted
from gamesearch.render.ratings import scale_of, zero_text
from gamesearch.render.svg import image, line, text

__all__ = ["ratings_svg"]

WIDTH, LEFT, RIGHT, TOP, ROW, BOTTOM = 720, 270, 40, 72, 28, 44
LONGEST = 40
"""The characters of a name that fit."""
SIZE = 5
TICKS = 8
"""There are no more numbers than this on the axis."""


def ratings_svg(ratings: Ratings, subject: str) -> str:
    """The picture as a text."""
    scale, height = scale_of(ratings), TOP + ROW * len(ratings.players) + BOTTOM
    parts = [
        f'<rect width="{WIDTH}" height="{height}" {painted(fill="page")}/>',
        text(20, 24, "Elo, with 95 % intervals", "title"),
        text(20, 44, f"{subject}: {zero_text(ratings)}"[:110], "faint", ' style="font-size: 12px"'),
        *axis(scale, height),
        *rows(ratings, scale),
    ]
    return image((WIDTH, height), f"Elo of {subject}", STYLE, parts, scales=True)


def place(scale: Span, elo: float) -> float:
    """Where a rating is."""
    return LEFT + scale.share(elo) * (WIDTH - LEFT - RIGHT)


def axis(scale: Span, height: int) -> Iterator[str]:
    """The numbers below, and a rule for each."""
    step = next(
        size * 10**power
        for power in range(12)
        for size in (1, 2, 5)
        if (scale.greatest - scale.least) / (size * 10**power) <= TICKS
    )
    for number in range(math.ceil(scale.least / step), math.floor(scale.greatest / step) + 1):
        x = place(scale, number * step)
        yield line((x, TOP - 10), (x, height - BOTTOM), "rule")
        yield text(x, height - BOTTOM + 20, f"{number * step:+d}" if number else "0", "faint", ' text-anchor="middle"')


def rows(ratings: Ratings, scale: Span) -> Iterator[str]:
    """The name, the line and the point of each player."""
    for number, each in enumerate(ratings.players):
        y = TOP + ROW * (number + 0.5)
        name = each.name if len(each.name) <= LONGEST else f"{each.name[: LONGEST - 3]}..."
        yield text(LEFT - 14, y + 4, name, "", ' text-anchor="end"')
        low, high = place(scale, each.elo - each.error), place(scale, each.elo + each.error)
        yield line((low, y), (high, y), more=f' stroke-width="2" {painted(stroke="c2")}')
        yield f'<circle cx="{place(scale, each.elo):.1f}" cy="{y:.1f}" r="{SIZE}" {painted(fill="c2")}/>'
