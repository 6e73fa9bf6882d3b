"""Draw the belief about each move as a histogram in text or SVG. A belief is the probability distribution of a value.

If chance decides next, each outcome has a histogram and its probability.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, probability_text, share_text, value_text
from gamesearch.algorithms.engine.result import Belief, MoveValue
from gamesearch.game import CHANCE
from gamesearch.registry import specification_of
from gamesearch.render.charts.svg import WIDTH, color, paint_attributes, titled_image
from gamesearch.render.formats.svg import line, text
from gamesearch.render.tables import number_column, plain_table, text_column
from gamesearch.render.value_words import Analysis, sorted_moves, value_heading

__all__ = ["BeliefsView", "beliefs_data", "beliefs_svg", "moves_with_beliefs"]


# In the terminal. ---------------------------------------------------------------------------------
BLOCKS, ASCII_BLOCKS = " ▁▂▃▄▅▆▇█", " .:-=+*#@"
MOST_DRAWN = 12  # the greatest number of histograms to draw: for the best moves, or for the first outcomes of chance
VISIBLE = 0.002  # the drawn scale contains all values that have at least this probability for some move
NARROWEST = 16


def moves_with_beliefs(analysis: Analysis) -> list[tuple[MoveValue, Belief]]:
    """The moves, best first, with the belief about each move."""
    return [(each, each.belief) for each in sorted_moves(analysis) if each.belief is not None]


class Wording(NamedTuple):
    """The words for the moves of a position. They are for the outcomes at a chance node."""

    kind: str
    heading: str
    texts: dict[int, str]  # the probability of each outcome, or that each move is the best move, as text


def wording_of(analysis: Analysis) -> Wording:
    """Return words for a player's moves or for the outcomes of chance, and the probability of each move or outcome."""
    if analysis.player != CHANCE:
        best = {each.move: share_text(belief.best or 0.0) for each, belief in moves_with_beliefs(analysis)}
        return Wording("move", "P(best)", best)
    odds = {outcome: probability_text(share) for outcome, share in analysis.game.outcomes(analysis.state)}
    return Wording("outcome", "probability", odds)


class Histograms:
    """The histograms of some moves. Both ends of the scale are left out if their probabilities are too small to be
    seen."""

    def __init__(self, beliefs: Sequence[Belief]) -> None:
        masses = [each.masses for each in beliefs]
        seen = [i for i in range(len(masses[0])) if max(each[i] for each in masses) >= VISIBLE]
        self.first, self.last = seen[0], seen[-1]
        self.least = beliefs[0].least + self.first * beliefs[0].step
        self.greatest = beliefs[0].least + self.last * beliefs[0].step
        self.rows = [each[self.first : self.last + 1] for each in masses]

    def merge_bins(self, width: int) -> list[list[float]]:
        """Merge adjacent bins, so that each histogram fits into `width` characters; returns the new histograms."""
        together = -(-len(self.rows[0]) // max(1, width))
        return [[math.fsum(row[i : i + together]) for i in range(0, len(row), together)] for row in self.rows]


@dataclass(frozen=True)
class BeliefsView:
    """Shows a line for each move: the value, the probability that the move is best, and the histogram."""

    analysis: Analysis

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a line with a histogram for each move. Below the histograms, the least and the greatest value are
        shown."""
        moves, only_ascii = moves_with_beliefs(self.analysis), options.ascii_only
        if not moves:
            return
        game, state, wording = self.analysis.game, self.analysis.state, wording_of(self.analysis)
        cells = [
            (
                Text(game.move_name(state, each.move), style="bold"),
                value_text(round(float(each.value), 4), only_ascii=only_ascii),  # type: ignore[arg-type]
                wording.texts[each.move],
            )
            for each, _ in moves[:MOST_DRAWN]
        ]
        headings = (wording.kind, "mean", wording.heading)
        margin = sum(max(map(len, column)) for column in zip(headings, *cells, strict=True)) + 6
        picture = Histograms([belief for _, belief in moves[:MOST_DRAWN]])
        bars = picture.merge_bins(max(NARROWEST, options.max_width - margin))
        low, high = (value_text(round(end, 2), only_ascii=only_ascii) for end in (picture.least, picture.greatest))
        scale = low + high.rjust(max(len(high) + 1, len(bars[0]) - len(low)))
        rows = [(*row, bar_text(bar, only_ascii)) for row, bar in zip(cells, bars, strict=True)]
        ends = ("", "", "", Text(scale, style="dim"))
        yield plain_table(
            text_column(wording.kind),
            *map(number_column, headings[1:]),
            text_column(value_heading(game)),
            rows=[*rows, ends],
            gap=2,
        )
        if len(moves) > MOST_DRAWN:
            yield Text(f"and {plural(len(moves) - MOST_DRAWN, f'more {wording.kind}')}", style="dim")


def bar_text(row: Sequence[float], only_ascii: bool) -> Text:
    """Draw a histogram in one line. The highest bin is drawn as the highest block."""
    blocks, most = ASCII_BLOCKS if only_ascii else BLOCKS, max(row)
    return Text("".join(blocks[round(each / most * (len(blocks) - 1))] for each in row), style="cyan")


def beliefs_data(analysis: Analysis) -> list[dict[str, Any]]:
    """The beliefs about each move, the best move first, as JSON."""
    return [
        {
            "move": analysis.game.move_name(analysis.state, each.move),
            "mean": each.value,
            "deviation": belief.deviation,
            "best": belief.best,
            "sampled": None if belief.sampled is None else dict(zip(("mean", "best"), belief.sampled, strict=True)),
            "least": belief.least,
            "step": belief.step,
            "masses": belief.masses,
        }
        for each, belief in moves_with_beliefs(analysis)
    ]


# As SVG. ------------------------------------------------------------------------------------------
LEFT, RIGHT, TOP, BOTTOM = 170, 30, 64, 60
ROW = 60  # the height of the row of a move
HIGHEST = 46  # the height of the highest bin within the row of a move
TICKS = 5


def beliefs_svg(analysis: Analysis) -> str:
    """Draw the beliefs about the best moves as an SVG image. At least one move must have a belief."""
    return Drawing(analysis).text()


class Drawing:
    """Draws the histograms of some moves on a common scale."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.moves = moves_with_beliefs(analysis)[:MOST_DRAWN]
        self.picture = Histograms([belief for _, belief in self.moves])
        self.wording = wording_of(analysis)
        self.bins = len(self.picture.rows[0])
        self.bottom = TOP + ROW * len(self.moves)

    def text(self) -> str:
        """Return the SVG image as text."""
        subject = f"{specification_of(self.analysis.game)}  {self.analysis.game.format(self.analysis.state)}"
        title = f"Believed values: {self.analysis.final_result.algorithm}"
        parts = [*self.axis(), *(part for number in range(len(self.moves)) for part in self.curve(number))]
        return titled_image(self.bottom + BOTTOM, title, subject, parts)

    def x(self, place: float) -> float:
        """Convert the number of a bin to its horizontal position. The first drawn bin has the number 0."""
        return LEFT + (place + 0.5) / self.bins * (WIDTH - LEFT - RIGHT)

    def axis(self) -> Iterator[str]:
        """Yield the numbers along the scale, and the meaning of the scale."""
        least, greatest = self.picture.least, self.picture.greatest
        ticks = [tick * (self.bins - 1) / (TICKS - 1) for tick in range(TICKS)] if self.bins > 1 else [0.0]
        for place in ticks:
            x, value = self.x(place), least + (greatest - least) * place / max(1, self.bins - 1)
            yield line((x, TOP), (x, self.bottom), "rule")
            yield text(x, self.bottom + 18, value_text(round(value, 2)), "faint", ' text-anchor="middle"')
        words = f"{value_heading(self.analysis.game)}; a line marks the mean"
        yield text(self.x((self.bins - 1) / 2), self.bottom + 40, words, "faint", ' text-anchor="middle"')

    def curve(self, number: int) -> Iterator[str]:
        """Yield the histogram of a move, a line at the mean, and the move's name and value."""
        (found, _), row = self.moves[number], self.picture.rows[number]
        base = TOP + ROW * (number + 1)
        yield f'<path class="belief" d="{self.outline(row, base)}" {self.paint(number)}/>'
        mean = float(found.value)  # type: ignore[arg-type]
        width = self.picture.greatest - self.picture.least
        x = self.x((mean - self.picture.least) / width * (self.bins - 1) if width > 0 else 0.0)
        yield line((x, base), (x, base - HIGHEST), "mean", f' stroke-width="1.5" {paint_attributes(stroke="ink")}')
        yield line((20, base), (WIDTH - RIGHT, base), "rule")
        yield text(20, base - 24, self.analysis.game.move_name(self.analysis.state, found.move), "title")
        share = f"{self.wording.heading} {self.wording.texts[found.move]}"
        yield text(20, base - 8, f"{value_text(round(mean, 2))}, {share}", "faint")

    def paint(self, number: int) -> str:
        """Return the color of a move, as SVG attributes."""
        return f'{paint_attributes(fill=color(number), stroke=color(number))} fill-opacity="0.3" stroke-width="1.5"'

    def outline(self, row: Sequence[float], base: float) -> str:
        """Return a histogram as an SVG path with a step for each bin. The highest step has the height HIGHEST."""
        steps = [f"M{self.x(-0.5):.1f} {base:.1f}"]
        for place, mass in enumerate(row):
            y = base - HIGHEST * mass / max(row)
            steps.append(f"L{self.x(place - 0.5):.1f} {y:.1f}L{self.x(place + 0.5):.1f} {y:.1f}")
        return "".join([*steps, f"L{self.x(len(row) - 0.5):.1f} {base:.1f}Z"])
