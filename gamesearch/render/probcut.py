"""A table of how values to a depth follow from those to a smaller one, and what a game may declare of it."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import plain_table
from gamesearch.study.probcut import Fit

__all__ = ["FitsView", "declaration", "fits_data"]


class FitsView:
    """A row for each pair of depths, then the lines that a game may take over."""

    def __init__(self, game: Game[Any], fits: Sequence[Fit]) -> None:
        self.game, self.fits = game, fits

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and the declaration."""
        yield Text(f"{specification_of(self.game)}: values to a depth, from those to a smaller one", style="bold")
        table = plain_table(gap=2)
        for column in ("depth", "from", "slope", "intercept", "deviation", "correlation", "positions"):
            table.add_column(column, justify="right", no_wrap=True)
        for fit in self.fits:
            depth, shallow, *line = fit.prediction
            numbers = [f"{number:.4g}" for number in line]
            table.add_row(f"{depth}", f"{shallow}", *numbers, f"{fit.correlation:.3f}", f"{fit.positions:,}")
        yield table
        yield Text("for the player to move; the deviation is that of the error, in payoffs")
        yield Text(f"a game that is questions.Tuned may declare {plural(len(self.fits), 'prediction')}:")
        yield Text(declaration(self.fits))


def declaration(fits: Sequence[Fit]) -> str:
    """The predictions as a game declares them."""
    lines = []
    for fit in fits:
        depth, shallow, *line = fit.prediction
        numbers = ", ".join(f"{number:.4g}" for number in line)
        lines.append(f"    Prediction({depth}, {shallow}, {numbers}),")
    return "\n".join(["PREDICTIONS = (", *lines, ")"])


def fits_data(game: Game[Any], fits: Sequence[Fit]) -> dict[str, Any]:
    """The table as JSON has it."""
    rows = [{**fit.prediction._asdict(), "correlation": fit.correlation, "positions": fit.positions} for fit in fits]
    return {"game": specification_of(game), "predictions": rows}
