"""Ratings as a table and as an SVG image. A bar for each player shows the 95 % interval of the rating."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.play.matches.ratings import Rating, Ratings
from gamesearch.render.charts.chart import Span
from gamesearch.render.charts.growth import letters
from gamesearch.render.charts.svg import WIDTH, paint_attributes, titled_image
from gamesearch.render.formats.svg import line, text
from gamesearch.render.tables import number_column, plain_table, table_of_numbers, tables_of, text_column

__all__ = ["RatingsView", "ratings_data", "ratings_svg", "scale_of"]

WIDEST, NARROWEST = 60, 12
"""The greatest and the least width of the picture in characters."""
LONGEST_NAME = 32


def scale_of(ratings: Ratings) -> Span:
    """The scale of the picture. It contains all confidence intervals."""
    ends = [each.elo + sign * each.error for each in ratings.players for sign in (-1, 1)]
    return Span(ends if max(ends) - min(ends) >= 1 else [min(ends) - 50, max(ends) + 50])


class RatingsView:
    """A table of the players' ratings, and below it a cross table. Each rating is drawn as a point on its confidence
    interval."""

    def __init__(self, ratings: Ratings) -> None:
        self.ratings, self.scale, self.letters = ratings, scale_of(ratings), letters(len(ratings.players))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, a sentence about the player whose rating is 0, and the cross table."""
        players, only_ascii = self.ratings.players, options.ascii_only
        longest = min(LONGEST_NAME, max(len(each.name) for each in players))
        width = max(NARROWEST, min(WIDEST, options.max_width - longest - 40))
        rows = (
            (
                letter,
                each.name,
                f"{each.elo:+.0f}",
                f"{'+-' if only_ascii else '±'}{each.error:.0f}",
                f"{each.games:,}",
                f"{each.points / each.games:.1%}",
                self.bar(each, width, only_ascii),
            )
            for letter, each in zip(self.letters, players, strict=True)
        )
        name = Column("player", max_width=LONGEST_NAME, overflow="fold")
        numbers = map(number_column, ("Elo", "95 %", "games", "score"))
        low, high = (f"{end:+.0f}" for end in (self.scale.least, self.scale.greatest))
        ends = (*[""] * 6, f"{low}{high:>{width - len(low)}}")
        yield plain_table(text_column(), name, *numbers, text_column("Elo interval"), rows=[*rows, ends], gap=2)
        yield Text(zero_text(self.ratings), style="dim")
        if len(players) > 2:
            yield Text("")
            yield from tables_of(list(range(len(players))), self.cross_table, console, options)
            yield Text("points against each player / games", style="dim")

    def bar(self, rating: Rating, width: int, only_ascii: bool) -> str:
        """Draw a line for the confidence interval of a rating, with a point for the rating itself."""
        ends = (rating.elo - rating.error, rating.elo, rating.elo + rating.error)
        low, place, high = (round(self.scale.share(each) * (width - 1)) for each in ends)
        characters = [" "] * width
        characters[low : high + 1] = ("-" if only_ascii else "─") * (high - low + 1)
        characters[place] = "o" if only_ascii else "●"
        return "".join(characters).rstrip()

    def cross_table(self, columns: Sequence[int]) -> Table:
        """The scores of all players against the players of the given columns."""
        players = self.ratings.players
        rows = (
            (letter, *(self.cell(each.name, players[place].name) for place in columns))
            for letter, each in zip(self.letters, players, strict=True)
        )
        return table_of_numbers("", *(self.letters[place] for place in columns), rows=rows, gap=2)

    def cell(self, one: str, other: str) -> str:
        """The score of one player against another."""
        points, games = self.ratings.table.get((one, other), (0.0, 0))
        return f"{points:g}/{games}" if games else "-"


def zero_text(ratings: Ratings) -> str:
    """A sentence about the number of games, and about the player whose rating is 0."""
    games = sum(each.games for each in ratings.players) // 2
    zero = ratings.anchor or "the average player"
    repeated = f" ({ratings.repeated:,} not counted for Elo: they repeat earlier pairs)" if ratings.repeated else ""
    return f"{plural(games, 'game')}{repeated}; {zero} has 0 Elo"


def ratings_data(ratings: Ratings) -> dict[str, Any]:
    """The ratings as JSON."""
    return {
        "anchor": ratings.anchor or None,
        "repeated_games": ratings.repeated,
        "players": [
            {
                "player": each.name,
                "elo": each.elo,
                "error": each.error,
                "points": each.points,
                "games": each.games,
                "against": {
                    other: {"points": points, "games": games}
                    for (one, other), (points, games) in ratings.table.items()
                    if one == each.name
                },
            }
            for each in ratings.players
        ],
    }


LEFT, RIGHT, TOP, ROW, BOTTOM = 270, 40, 72, 28, 44
LONGEST = 40
"""The greatest number of characters of a name; longer names are cropped."""
SIZE = 5
TICKS = 8
"""The greatest number of parts into which the axis is divided."""


def ratings_svg(ratings: Ratings, subject: str) -> str:
    """The ratings as the text of an SVG image."""
    scale, height = scale_of(ratings), TOP + ROW * len(ratings.players) + BOTTOM
    subject = f"{subject}: {zero_text(ratings)}"
    return titled_image(height, "Elo, with 95 % intervals", subject, [*axis(scale, height), *rows(ratings, scale)])


def place(scale: Span, elo: float) -> float:
    """The horizontal position of a rating."""
    return LEFT + scale.share(elo) * (WIDTH - LEFT - RIGHT)


def axis(scale: Span, height: int) -> Iterator[str]:
    """The numbers below the picture, with a vertical line for each."""
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
    """For each player, draw the name, the confidence interval as a line, and the rating as a dot."""
    for number, each in enumerate(ratings.players):
        y = TOP + ROW * (number + 0.5)
        name = each.name if len(each.name) <= LONGEST else f"{each.name[: LONGEST - 3]}..."
        yield text(LEFT - 14, y + 4, name, "", ' text-anchor="end"')
        low, high = place(scale, each.elo - each.error), place(scale, each.elo + each.error)
        yield line((low, y), (high, y), more=f' stroke-width="2" {paint_attributes(stroke="c2")}')
        yield f'<circle cx="{place(scale, each.elo):.1f}" cy="{y:.1f}" r="{SIZE}" {paint_attributes(fill="c2")}/>'
