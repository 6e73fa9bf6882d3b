"""A table of how values to a depth follow from those to a smaller one, and what a game may declare of it."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, view
from gamesearch.study.probcut import Fit

__all__ = ["declaration", "fits_data", "fits_view"]


@view
def fits_view(game: Game[Any], fits: Sequence[Fit]) -> RenderResult:
    """A row for each pair of depths, then the lines that a game may take over."""
    yield Text(f"{specification_of(game)}: values to a depth, from those to a smaller one", style="bold")
    columns = map(number_column, ("depth", "from", "slope", "intercept", "deviation", "correlation", "positions"))
    rows = ((*numbers_of(fit), f"{fit.correlation:.3f}", f"{fit.positions:,}") for fit in fits)
    yield plain_table(*columns, rows=rows, gap=2)
    yield Text("for the player to move; the deviation is that of the error, in payoffs")
    yield Text(f"a game that is questions.Tuned may declare {plural(len(fits), 'prediction')}:")
    yield Text(declaration(fits))


def numbers_of(fit: Fit) -> list[str]:
    """The two depths and the line between their values."""
    depth, shallow, *line = fit.prediction
    return [str(depth), str(shallow), *(f"{number:.4g}" for number in line)]


def declaration(fits: Sequence[Fit]) -> str:
    """The predictions as a game declares them."""
    lines = (f"    Prediction({', '.join(numbers_of(fit))})," for fit in fits)
    return "\n".join(["PREDICTIONS = (", *lines, ")"])


def fits_data(game: Game[Any], fits: Sequence[Fit]) -> dict[str, Any]:
    """The table as JSON has it."""
    rows = [{**fit.prediction._asdict(), "correlation": fit.correlation, "positions": fit.positions} for fit in fits]
    return {"game": specification_of(game), "predictions": rows}
