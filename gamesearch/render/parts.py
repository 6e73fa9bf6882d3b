"""A table of what each part of the selective search is worth."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, seconds_text
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, view
from gamesearch.study.parts import PartsMeasurement

__all__ = ["parts_data", "parts_view"]


@view
def parts_view(game: Game[Any], depth: int, rows: Sequence[PartsMeasurement]) -> RenderResult:
    """A row for each choice of parts, beside the search without any; then what its numbers are."""
    first = rows[0]
    yield Text(f"{specification_of(game)}: {plural(first.positions, 'position')}, to depth {depth}", style="bold")
    right = ["right"] if first.problems else []
    cells = (
        (
            row.label,
            f"{row.stopped}!" if row.stopped else f"{row.nodes:,.0f}",
            f"{100 * row.nodes / first.nodes:.3g} %",
            seconds_text(row.seconds),
            f"{row.same_moves} of {row.positions}",
            *(f"{row.right} of {first.problems}" for _ in right),
        )
        for row in rows
    )
    columns = map(number_column, ("nodes", "share", "time", "same move", *right))
    yield plain_table(Column("parts"), *columns, rows=cells, gap=2)
    yield Text("nodes: geometric mean; share: of the search without parts, which has the same move as itself")
    if right:
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
