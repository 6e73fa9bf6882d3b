"""A table of what Max gets who assumes one opponent and meets another."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.game import MAX, MIN, Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers
from gamesearch.study.opponents import Opponent, Payoffs

__all__ = ["OpponentsView", "opponents_data"]


class OpponentsView:
    """A row for each opponent that Max assumes, a column for each that he meets."""

    def __init__(
        self, game: Game[Any], state: Any, opponents: Sequence[Opponent], rows: Sequence[Sequence[Payoffs]], games: int
    ) -> None:
        self.game, self.state, self.opponents, self.rows, self.games = game, state, opponents, rows, games

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table; the greatest mean of each column is bold."""
        yield Text(f"{specification_of(self.game)}  {self.game.format(self.state)}", style="bold")
        one, other = self.game.player_name(MAX), self.game.player_name(MIN)
        table = table_of_numbers(f"{one} assumes", *(f"{other}: {each.name}" for each in self.opponents), gap=2)
        greatest = [max(row[column].mean for row in self.rows) for column in range(len(self.opponents))]
        for assumed, row in zip(self.opponents, self.rows, strict=False):
            cells = [
                Text(payoff_text(each), style="bold" if each.mean == most else "")
                for each, most in zip(row, greatest, strict=True)
            ]
            table.add_row(assumed.name, *cells)
        yield table
        games = plural(self.games, "game")
        yield Text(f"payoffs to {one}: means of {games} with 95 % confidence; bold: the most against one opponent")
        if all([each.mean for each in row] == [each.mean for each in self.rows[0]] for row in self.rows):
            is_won = self.rows[0] and all(each.mean == self.game.MAXSCORE for each in self.rows[0])
            why = f": {one} wins against the best moves, and so against all others" if is_won else ""
            yield Text(f"what {one} assumes changes nothing here{why}")


def payoff_text(found: Payoffs) -> str:
    """A mean with its margin."""
    return f"{found.mean:+.3g} ±{found.margin:.2g}" if found.mean else f"0 ±{found.margin:.2g}"


def opponents_data(
    game: Game[Any], state: Any, opponents: Sequence[Opponent], rows: Sequence[Sequence[Payoffs]], games: int
) -> dict[str, Any]:
    """The table as JSON has it."""
    return {
        "game": specification_of(game),
        "position": game.format(state),
        "games": games,
        "rows": [
            {
                "assumed": assumed.name,
                "algorithm": assumed.assumption,
                "against": [
                    {"opponent": actual.name, "mean": found.mean, "margin": found.margin}
                    for actual, found in zip(opponents, row, strict=True)
                ],
            }
            for assumed, row in zip(opponents, rows, strict=True)
        ],
    }
