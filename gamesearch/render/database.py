"""The layers of a database: how many positions each has, who wins how many, and how long the longest win takes."""

import operator
from collections.abc import Sequence

from rich.console import RenderResult

from gamesearch.algorithms.parts.formatting import count_text
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.view import view
from gamesearch.solvers.databases.folders import BuiltLayer

__all__ = ["database_view"]


@view
def database_view(layers: Sequence[BuiltLayer], points: bool) -> RenderResult:
    """A row for each layer; a column for the longest win, unless payoffs are points."""
    columns = ["positions", "to move wins", "drawn", "loses", "bytes", "longest win, plies"]
    if points:
        columns = ["positions", "gains more", "even", "gains less", "bytes"]
    counts = operator.attrgetter("positions", "won", "drawn", "lost", "size", "longest")
    rows = ((each.header.name, *map(count_text, counts(each.header)[: len(columns)])) for each in layers)
    yield table_of_numbers("layer", *columns, rows=rows)
