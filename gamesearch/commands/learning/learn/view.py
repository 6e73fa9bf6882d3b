"""The results of learning as text: the progress, the strength after each number of games, and the results for each
value of a feature."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, value_text
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.learn.assessment import ErrorAfter
from gamesearch.learn.categories import Category
from gamesearch.learn.training import Curve, Learned
from gamesearch.learned.packed_files import LearnedNetwork, LearnedPatterns
from gamesearch.learned.weights_files import LearnedWeights, MatchScore
from gamesearch.notation import player_name
from gamesearch.optional import PatternGame
from gamesearch.registry import load, specification_of
from gamesearch.render.charts.chart import Axis, ChartView, Series, Span
from gamesearch.render.charts.growth import letters
from gamesearch.render.tables import number_column, plain_table, table_of_numbers, text_column, view
from gamesearch.specification import format_specification

__all__ = [
    "categories_data", "categories_view", "chart_of", "errors_view", "learned_data", "learned_view", "score_text",
]  # fmt: skip


@view
def learned_view(learned: Learned, before: Sequence[float], loss: str, to: str | None) -> RenderResult:
    """Show the learned weight of each feature or pattern, the loss and the scores against opponents. Explain how to use
    the weights."""
    yield Text(format_specification(learned.game, learned.parameters), style="bold")
    if isinstance(learned, LearnedNetwork):
        inputs, hidden, payoffs = (learned.network[each] for each in ("inputs", "hidden", "payoffs"))
        parts = (plural(inputs, "input"), plural(hidden, "hidden unit"), plural(len(payoffs) - 1, "output"))
        yield Text(f"a network of {parts[0]}, {parts[1]} and {parts[2]}")
    elif isinstance(learned, LearnedPatterns):
        yield table_of_numbers(
            "pattern", "cells", "weights", "nonzero", "largest |weight|", rows=pattern_rows(learned, to or "")
        )
    else:
        weights = zip(learned.features, before, learned.weights, strict=True)
        rows = ((name, f"{first:.4g}", f"{now:.4g}") for name, first, now in weights)
        yield table_of_numbers("feature", "before", "learned", rows=rows)
    yield Text(", ".join(filter(None, (f"from {plural(learned.games, 'game')} by {learned.method}", loss))))
    for each in learned.beat:
        yield Text(f"{score_text(each)} of {plural(each.games, 'game')} against {each.opponent}")
    yield from map(Text, reliability_warnings(learned, before, to or "the learned evaluation"))
    if to is not None and not is_weaker(learned):
        yield Text(f"play with it: {format_specification(learned.game, learned.parameters | {'weights': to})}")


def is_weaker(learned: Learned) -> bool:
    """Whether the first opponent, usually the old weights, is significantly stronger than the new weights."""
    return bool(learned.beat) and learned.beat[0].interval[1] < 0.5


def reliability_warnings(learned: Learned, before: Sequence[float], to: str) -> Iterator[str]:
    """Yield a warning if the games do not show that the new weights are stronger."""
    games = plural(learned.games, "game")
    if isinstance(learned, LearnedWeights) and learned.weights == tuple(before):
        yield f"no weight has changed after {games}: play more games with --games"
    elif is_weaker(learned):
        yield f"{to} is weaker than {learned.beat[0].opponent}: learn from more than {games} with --games"
    elif learned.beat and learned.beat[0].interval[0] <= 0.5 <= learned.beat[0].interval[1]:
        first = learned.beat[0]
        yield (
            f"{plural(first.games, 'game')} are too few to decide whether the new weights are stronger than "
            f"{first.opponent}: --compare plays more games"
        )


def pattern_rows(learned: LearnedPatterns, to: str) -> Iterator[tuple[str, ...]]:
    """Yield a row for each pattern: number, cells, number of weights, of nonzero weights, greatest absolute weight."""
    game = load(format_specification(learned.game, learned.parameters))
    name = game.cell_name if isinstance(game, PatternGame) else str
    sizes = [learned.things ** len(cells) for cells in learned.patterns]
    weights = np.abs(learned.weights(to, learned.stages * sum(sizes))).reshape(learned.stages, -1)
    parts = np.split(weights, np.cumsum(sizes)[:-1], axis=1)
    for number, (cells, own) in enumerate(zip(learned.patterns, parts, strict=True), 1):
        names = " ".join(map(name, cells))
        yield str(number), names, f"{own.size:,}", f"{np.count_nonzero(own):,}", f"{own.max():.3f}"


@view
def errors_view(found: Sequence[ErrorAfter]) -> RenderResult:
    """Show how far the estimates are from the exact values after learning from different numbers of games."""
    first = found[0].error
    rows = ((f"{each.games:,}", f"{each.error:.4f}", f"{each.error / first:.2f}") for each in found)
    yield table_of_numbers("games", "error", "relative", rows=rows)
    yield Text("error: root mean square difference between estimates and exact values; a win is 1, a draw 0")
    yield Text("relative: the error divided by the error in the first row")
    yield Text()


def score_text(beaten: MatchScore) -> str:
    """Format the percentage of points with its confidence interval."""
    low, high = beaten.interval
    return f"{100 * beaten.points / beaten.games:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


def learned_data(learned: Learned, before: Sequence[float], loss: float | None) -> dict[str, Any]:
    """The learned weights as JSON, without the table of patterns."""
    parts = {name: value for name, value in asdict(learned).items() if name != "table"}
    return {**parts, "before": list(before), "loss": loss}


SCALE = Span([0.0, 100.0])


def chart_of(curve: Curve) -> ChartView:
    """Draw a chart that shows, for each opponent, how the percentage of points changes with the number of games.

    Raises GamesearchError for games without a winner.
    """
    opponents = [each.opponent for each in curve[-1][1]] if curve else []
    if not opponents:
        raise GamesearchError("nothing can be drawn for --plot: this game has no winners")
    matches = [each for _, beat in curve for each in beat]
    series = [
        Series(letter, f"against {name}", [100 * each.points / each.games for each in matches if each.opponent == name])
        for letter, name in zip(letters(len(opponents)), opponents, strict=True)
    ]
    return ChartView(series, "% won", Axis("games", [f"{games:,}" for games, _ in curve]), SCALE)


NARROWEST, WIDEST = 5, 20
"""The least and the greatest number of characters of a bar."""


@view
def categories_view(game: Game, feature: str, games: int, found: Sequence[Category]) -> RenderResult:
    """Show a table and explain its numbers. For each category, a row contains a bar of wins, draws and losses."""
    yield Text(f"{specification_of(game)}: {feature}, in {plural(games, 'game')}", style="bold")
    rows: Iterator[tuple[str | Bar, ...]] = (
        (
            each.label, f"{each.positions:,}", f"{each.games:,}",
            *(f"{100 * share:.0f} %" for share in (each.wins, each.draws, each.losses)),
            f"{each.value:+.2f}", value_text(round(each.estimate, 3)), Bar(each),
        )
        for each in found
    )  # fmt: skip
    columns = map(number_column, ("positions", "games", "wins", "draws", "losses", "value", "estimate"))
    yield plain_table(text_column("category"), *columns, Column(), rows=rows, gap=2)
    one = player_name(game, MAX)
    yield Text(f"wins, draws and losses (bar: + = -) of {one}; value: mean (win +1, loss -1)")
    yield Text("estimate: the mean of the evaluation")


@dataclass(frozen=True)
class Bar:
    """A bar in which the characters +, = and - stand for wins, draws and losses. It is as wide as the table allows."""

    category: Category

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(NARROWEST, WIDEST)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(WIDEST, options.max_width)
        wins, losses = round(width * self.category.wins), round(width * self.category.losses)
        yield Text("+" * wins + "=" * max(0, width - wins - losses) + "-" * losses)


def categories_data(game: Game, feature: str, games: int, found: Sequence[Category]) -> dict[str, Any]:
    """The table as JSON."""
    rows = [{**asdict(each), "value": each.value} for each in found]
    return {"game": specification_of(game), "feature": feature, "games": games, "categories": rows}
