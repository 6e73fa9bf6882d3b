"""A table of how games went on from positions with so much of a feature."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural, value_text
from gamesearch.game import MAX, Game
from gamesearch.learn.categories import Category
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers

__all__ = ["CategoriesView", "categories_data"]

WIDTH = 20
"""Characters of a bar."""


class CategoriesView:
    """A row for each category, with a bar of wins, draws and losses."""

    def __init__(self, game: Game[Any], feature: str, games: int, found: Sequence[Category]) -> None:
        self.game, self.feature, self.games, self.found = game, feature, games, found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and what its numbers are."""
        yield Text(f"{specification_of(self.game)}: {self.feature}, in {plural(self.games, 'game')}", style="bold")
        table = table_of_numbers(
            self.feature, "positions", "games", "wins", "draws", "losses", "value", "estimate", gap=2
        )
        table.add_column("")
        for each in self.found:
            shares = (f"{100 * share:.0f} %" for share in (each.wins, each.draws, each.losses))
            table.add_row(
                each.label, f"{each.positions:,}", f"{each.games:,}", *shares, f"{each.value:+.2f}",
                value_text(round(each.estimate, 3)), bar(each),
            )  # fmt: skip
        yield table
        one = self.game.player_name(MAX)
        yield Text(f"wins of {one}; value: of a win 1, of a loss -1; estimate: the mean of the evaluation; bar: + = -")


def bar(category: Category) -> str:
    """Wins, draws and losses as characters."""
    wins, losses = round(WIDTH * category.wins), round(WIDTH * category.losses)
    return "+" * wins + "=" * max(0, WIDTH - wins - losses) + "-" * losses


def categories_data(game: Game[Any], feature: str, games: int, found: Sequence[Category]) -> dict[str, Any]:
    """The table as JSON has it."""
    rows = [{**asdict(each), "value": each.value} for each in found]
    return {"game": specification_of(game), "feature": feature, "games": games, "categories": rows}
