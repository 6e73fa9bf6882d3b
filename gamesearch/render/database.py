"""The layers of a database: how many positions each has, who wins how many, and how long the longest win takes."""

from collections.abc import Sequence

from rich.console import RenderResult

from gamesearch.algorithms.engine.formatting import count_text
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.view import view
from gamesearch.solvers.databases.folders import BuiltLayer

__all__ = ["database_view"]

WINS = {
    "positions": "positions",
    "to move wins": "won",
    "drawn": "drawn",
    "loses": "lost",
    "bytes": "size",
    "longest win, plies": "longest",
}
POINTS = {"positions": "positions", "gains more": "won", "even": "drawn", "gains less": "lost", "bytes": "size"}
"""The columns, with what each tells of a layer's header: of games that are won or lost, and of those for points."""


@view
def database_view(layers: Sequence[BuiltLayer], points: bool) -> RenderResult:
    """A row for each layer; a column for the longest win, unless payoffs are points."""
    columns = POINTS if points else WINS
    rows = [
        [each.header.name, *(count_text(getattr(each.header, attribute)) for attribute in columns.values())]
        for each in layers
    ]
    yield table_of_numbers("layer", *columns, rows=rows)
