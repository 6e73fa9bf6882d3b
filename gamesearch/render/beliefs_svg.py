"""What is believed of the value of each move as an SVG for a light or a dark page: one curve below the other."""

from collections.abc import Iterator, Sequence

from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.registry import specification_of
from gamesearch.render.beliefs import MOST_DRAWN, Picture, believed_moves, wording_of
from gamesearch.render.chart_svg import LONGEST, STYLE, colour, painted
from gamesearch.render.svg import image, line, text
from gamesearch.render.value_words import Analysis

__all__ = ["beliefs_svg"]

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720, 170, 30, 64, 60
ROW = 60
"""The height of a move."""
HIGHEST = 46
"""How much of it the highest bin fills."""
TICKS = 5


def beliefs_svg(analysis: Analysis) -> str:
    """The beliefs of the best moves as a text; there has to be one."""
    return Drawing(analysis).text()


class Drawing:
    """The scale of one drawing, and what is drawn by it."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.moves = believed_moves(analysis)[:MOST_DRAWN]
        self.picture = Picture([belief for _, belief in self.moves])
        self.wording = wording_of(analysis)
        self.bins = len(self.picture.rows[0])
        self.bottom = TOP + ROW * len(self.moves)

    def text(self) -> str:
        """The whole file."""
        subject = f"{specification_of(self.analysis.game)}  {self.analysis.game.format(self.analysis.state)}"
        title = f"Believed values: {self.analysis.found.algorithm}"
        height = self.bottom + BOTTOM
        parts = [
            f'<rect width="{WIDTH}" height="{height}" {painted(fill="page")}/>',
            text(20, 24, title, "title"),
            text(20, 44, subject if len(subject) <= LONGEST else f"{subject[:LONGEST]}...", "faint"),
            *self.axis(),
            *(part for number in range(len(self.moves)) for part in self.curve(number)),
        ]
        return image((WIDTH, height), f"{title}: {subject}", STYLE, parts, scales=True)

    def x(self, place: float) -> float:
        """Where a bin is, by its number on the part of the scale that is drawn."""
        return LEFT + (place + 0.5) / self.bins * (WIDTH - LEFT - RIGHT)

    def axis(self) -> Iterator[str]:
        """Some values of the scale."""
        least, greatest = self.picture.least, self.picture.greatest
        ticks = [tick * (self.bins - 1) / (TICKS - 1) for tick in range(TICKS)] if self.bins > 1 else [0.0]
        for place in ticks:
            x, value = self.x(place), least + (greatest - least) * place / max(1, self.bins - 1)
            yield line((x, TOP), (x, self.bottom), "rule")
            yield text(x, self.bottom + 18, value_text(round(value, 2)), "faint", ' text-anchor="middle"')
        words = f"value for {self.analysis.game.player_name(0)}; a line marks the mean"
        yield text(self.x((self.bins - 1) / 2), self.bottom + 40, words, "faint", ' text-anchor="middle"')

    def curve(self, number: int) -> Iterator[str]:
        """The histogram of a move above its line, its mean, and what it is worth."""
        (found, _), row = self.moves[number], self.picture.rows[number]
        base = TOP + ROW * (number + 1)
        yield f'<path class="belief" d="{self.outline(row, base)}" {self.paint(number)}/>'
        mean = float(found.value)  # type: ignore[arg-type]
        width = self.picture.greatest - self.picture.least
        x = self.x((mean - self.picture.least) / width * (self.bins - 1) if width > 0 else 0.0)
        yield line((x, base), (x, base - HIGHEST), "mean", f' stroke-width="1.5" {painted(stroke="ink")}')
        yield line((20, base), (WIDTH - RIGHT, base), "rule")
        yield text(20, base - 24, self.analysis.game.move_name(self.analysis.state, found.move), "title")
        share = f"{self.wording.heading} {self.wording.texts[found.move]}"
        yield text(20, base - 8, f"{value_text(round(mean, 2))}, {share}", "faint")

    def paint(self, number: int) -> str:
        """The colour of a move; the names beside the curves tell them apart by themselves."""
        return f'{painted(fill=colour(number), stroke=colour(number))} fill-opacity="0.3" stroke-width="1.5"'

    def outline(self, row: Sequence[float], base: float) -> str:
        """The path around a histogram, a step for each bin, as high as its highest bin."""
        steps = [f"M{self.x(-0.5):.1f} {base:.1f}"]
        for place, mass in enumerate(row):
            y = base - HIGHEST * mass / max(row)
            steps.append(f"L{self.x(place - 0.5):.1f} {y:.1f}L{self.x(place + 0.5):.1f} {y:.1f}")
        return "".join([*steps, f"L{self.x(len(row) - 0.5):.1f} {base:.1f}Z"])
