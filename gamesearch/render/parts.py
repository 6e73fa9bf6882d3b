"""A table of what each part of the selective search is worth."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural, seconds_text
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import plain_table
from gamesearch.study.parts import PartsMeasurement

__all__ = ["PartsView", "parts_data"]


class PartsView:
    """A row for each choice of parts, beside the search without any."""

    def __init__(self, game: Game[Any], depth: int, rows: Sequence[PartsMeasurement]) -> None:
        self.game, self.depth, self.rows = game, depth, rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and what its numbers are."""
        count = self.rows[0].positions
        heading = f"{specification_of(self.game)}: {plural(count, 'position')}, to depth {self.depth}"
        yield Text(heading, style="bold")
        table = plain_table(gap=2)
        table.add_column("parts")
        problems = self.rows[0].problems
        for column in ("nodes", "share", "time", "same move", *(["right"] if problems else [])):
            table.add_column(column, justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(
                Text(row.label),
                f"{row.stopped}!" if row.stopped else f"{row.nodes:,.0f}",
                f"{100 * row.nodes / self.rows[0].nodes:.3g} %",
                seconds_text(row.seconds),
                f"{row.same_moves} of {row.positions}",
                *([f"{row.right} of {problems}"] if problems else []),
            )
        yield table
        yield Text("nodes: geometric mean; share: of the search without parts, which has the same move as itself")
        if problems:
            yield Text("right: of the suite, each problem by as many nodes")


def parts_data(game: Game[Any], depth: int, rows: Sequence[PartsMeasurement]) -> dict[str, Any]:
    """The table as JSON has it."""
    return {
        "game": specification_of(game),
        "depth": depth,
        "rows": [
            {
                "parts": row.label,
                "algorithm": row.algorithm.specification,
                "nodes": round(row.nodes, 1),
                "seconds": row.seconds,
                "same_moves": row.same_moves,
                "positions": row.positions,
                "stopped": row.stopped,
                "right": row.right,
                "problems": row.problems,
            }
            for row in rows
        ],
    }
