"""What was learned: a table of weights, and whom they beat."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.learn.exactness import ErrorAfter
from gamesearch.learn.training import Learned
from gamesearch.learned.network_files import LearnedNetwork
from gamesearch.learned.pattern_files import LearnedPatterns
from gamesearch.learned.weights_files import Beaten, LearnedWeights
from gamesearch.questions import Patterned
from gamesearch.registry import load
from gamesearch.render.tables import table_of_numbers
from gamesearch.specification import format_specification

__all__ = ["ErrorsView", "LearnedView", "learned_data", "score_text"]


class LearnedView:
    """A row for each feature, with its weight before and now; or one for each pattern."""

    def __init__(self, learned: Learned, before: Sequence[float], loss: float | None, to: str) -> None:
        self.learned, self.before, self.loss, self.to = learned, before, loss, to

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, the matches, and how to play with it."""
        learned = self.learned
        yield Text(format_specification(learned.game, learned.parameters), style="bold")
        if isinstance(learned, LearnedNetwork):
            inputs, hidden, payoffs = (learned.network[each] for each in ("inputs", "hidden", "payoffs"))
            parts = (plural(inputs, "input"), plural(hidden, "hidden unit"), plural(len(payoffs) - 1, "output"))
            yield Text(f"a network of {parts[0]}, {parts[1]} and {parts[2]}")
        else:
            yield self.table_of_patterns(learned) if isinstance(learned, LearnedPatterns) else self.table(learned)
        loss = "" if self.loss is None else f", loss {self.loss:.4f}"
        yield Text(f"from {plural(learned.games, 'game')} by {learned.method}{loss}")
        for each in learned.beat:
            yield Text(f"{score_text(each)} of {plural(each.games, 'game')} against {each.opponent}")
        for sentence in self.doubts():
            yield Text(sentence)
        if self.is_weaker:
            return
        yield Text(f"play with it: {format_specification(learned.game, learned.parameters | {'weights': self.to})}")

    @property
    def is_weaker(self) -> bool:
        """Whether whom they were measured against first, mostly the weights before, is surely stronger."""
        return bool(self.learned.beat) and self.learned.beat[0].interval[1] < 0.5

    def doubts(self) -> Iterator[str]:
        """What so few games do not tell."""
        games = plural(self.learned.games, "game")
        if isinstance(self.learned, LearnedWeights) and self.learned.weights == tuple(self.before):
            yield f"no weight has changed: {games} are too few to learn from, or tell nothing; play more by --games"
        elif self.is_weaker:
            opponent = self.learned.beat[0].opponent
            yield f"weaker than {opponent}, though {self.to} keeps it: learn from more than {games}, by --games"
        elif self.learned.beat and self.learned.beat[0].interval[0] <= 0.5 <= self.learned.beat[0].interval[1]:
            first = self.learned.beat[0]
            yield (
                f"{plural(first.games, 'game')} are too few to say whether it is stronger than {first.opponent}: "
                "--compare plays more"
            )

    def table(self, learned: LearnedWeights) -> Table:
        """The weights of features."""
        table = table_of_numbers("feature", "before", "learned")
        for name, before, now in zip(learned.features, self.before, learned.weights, strict=True):
            table.add_row(name, f"{before:.4g}", f"{now:.4g}")
        return table

    def table_of_patterns(self, learned: LearnedPatterns) -> Table:
        """The patterns: their cells, how many weights they have, and the greatest."""
        table = table_of_numbers("pattern", "cells", "weights", "learned", "greatest")
        game = load(format_specification(learned.game, learned.parameters))
        name = game.cell_name if isinstance(game, Patterned) else str
        sizes = [learned.things ** len(cells) for cells in learned.patterns]
        weights = np.abs(learned.weights(self.to, learned.stages * sum(sizes))).reshape(learned.stages, -1)
        start = 0
        for number, (cells, size) in enumerate(zip(learned.patterns, sizes, strict=True), 1):
            own = weights[:, start : start + size]
            start += size
            names = " ".join(map(name, cells))
            table.add_row(str(number), names, f"{own.size:,}", f"{np.count_nonzero(own):,}", f"{own.max():.3f}")
        return table


class ErrorsView:
    """How far estimates were from exact values, after more and more games."""

    def __init__(self, found: Sequence[ErrorAfter]) -> None:
        self.found = found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield a table, and what its numbers are."""
        table = table_of_numbers("games", "error", "of the first")
        for each in self.found:
            table.add_row(f"{each.games:,}", f"{each.error:.4f}", f"{each.error / self.found[0].error:.2f}")
        yield table
        yield Text("error: root mean square of estimates less exact values; from a draw to a win is 1")
        yield Text()


def score_text(beaten: Beaten) -> str:
    """The share of points, and from where to where it may be: few games tell little."""
    low, high = beaten.interval
    return f"{100 * beaten.points / beaten.games:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


def learned_data(learned: Learned, before: Sequence[float], loss: float | None) -> dict[str, Any]:
    """What was learned as JSON has it; the table of patterns is in the file alone."""
    parts = {name: value for name, value in asdict(learned).items() if name != "table"}
    return {**parts, "before": list(before), "loss": loss}
