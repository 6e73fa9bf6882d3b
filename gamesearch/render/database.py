"""The layers of a database: how many positions each has, who wins how many, and how long the longest win takes."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult

from gamesearch.render.tables import table_of_numbers
from gamesearch.solvers.databases.folders import BuiltLayer

__all__ = ["DatabaseView"]


class DatabaseView:
    """A row for each layer; a column for the longest win, unless payoffs are points."""

    def __init__(self, layers: Sequence[BuiltLayer], points: bool) -> None:
        self.layers, self.points = layers, points

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table."""
        columns = ("positions", "to move wins", "drawn", "loses", "bytes")
        if self.points:
            columns = ("positions", "gains more", "even", "gains less", "bytes")
        table = table_of_numbers("layer", *columns, *(() if self.points else ("longest win, plies",)))
        for header in (layer.header for layer in self.layers):
            numbers = [header.positions, header.won, header.drawn, header.lost, header.size]
            if not self.points:
                numbers.append(header.longest)
            table.add_row(header.name, *(f"{number:,}" for number in numbers))
        yield table
