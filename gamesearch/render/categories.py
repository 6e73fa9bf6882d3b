"""A table of how games went on from positions with so much of a feature."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, value_text
from gamesearch.game import MAX, Game
from gamesearch.learn.categories import Category
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, text_column
from gamesearch.render.view import view

__all__ = ["categories_data", "categories_view"]

WIDTH = 20
"""Characters of a bar."""


@view
def categories_view(game: Game[Any], feature: str, games: int, found: Sequence[Category]) -> RenderResult:
    """A row for each category, with a bar of wins, draws and losses; then what its numbers are."""
    yield Text(f"{specification_of(game)}: {feature}, in {plural(games, 'game')}", style="bold")
    rows = (
        (
            each.label, f"{each.positions:,}", f"{each.games:,}",
            *(f"{100 * share:.0f} %" for share in (each.wins, each.draws, each.losses)),
            f"{each.value:+.2f}", value_text(round(each.estimate, 3)), bar(each),
        )
        for each in found
    )  # fmt: skip
    columns = map(number_column, ("positions", "games", "wins", "draws", "losses", "value", "estimate"))
    yield plain_table(text_column(feature), *columns, Column(), rows=rows, gap=2)
    one = game.player_name(MAX)
    yield Text(f"wins of {one}; value: of a win 1, of a loss -1; estimate: the mean of the evaluation; bar: + = -")


def bar(category: Category) -> str:
    """Wins, draws and losses as characters."""
    wins, losses = round(WIDTH * category.wins), round(WIDTH * category.losses)
    return "+" * wins + "=" * max(0, WIDTH - wins - losses) + "-" * losses


def categories_data(game: Game[Any], feature: str, games: int, found: Sequence[Category]) -> dict[str, Any]:
    """The table as JSON has it."""
    rows = [{**asdict(each), "value": each.value} for each in found]
    return {"game": specification_of(game), "feature": feature, "games": games, "categories": rows}
