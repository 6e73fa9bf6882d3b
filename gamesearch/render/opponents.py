"""A table of what Max gets who assumes one opponent and meets another."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.game import MAX, MIN, Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.view import view
from gamesearch.study.opponents import Opponent, Payoffs

__all__ = ["opponents_data", "opponents_view"]


@view
def opponents_view(
    game: Game[Any], state: Any, opponents: Sequence[Opponent], rows: Sequence[Sequence[Payoffs]], games: int
) -> RenderResult:
    """A row for each opponent that Max assumes, a column for each that he meets; the greatest mean of each is bold."""
    yield Text(f"{specification_of(game)}  {game.format(state)}", style="bold")
    one, other = game.player_name(MAX), game.player_name(MIN)
    means = [[each.mean for each in row] for row in rows]
    greatest = [max(column) for column in zip(*means, strict=True)]
    cells = (
        (Text(assumed.name), *(payoff_text(each, each.mean == most) for each, most in zip(row, greatest, strict=True)))
        for assumed, row in zip(opponents, rows, strict=False)
    )
    yield table_of_numbers(f"{one} assumes", *(f"{other}: {each.name}" for each in opponents), rows=cells, gap=2)
    yield Text(
        f"payoffs to {one}: means of {plural(games, 'game')} with 95 % confidence; bold: the most against one opponent"
    )
    if all(row == means[0] for row in means):
        is_won = means[0] and all(mean == game.MAXSCORE for mean in means[0])
        why = f": {one} wins against the best moves, and so against all others" if is_won else ""
        yield Text(f"what {one} assumes changes nothing here{why}")


def payoff_text(found: Payoffs, is_most: bool) -> Text:
    """A mean with its margin."""
    return Text(
        f"{found.mean:+.3g} ±{found.margin:.2g}" if found.mean else f"0 ±{found.margin:.2g}",
        style="bold" if is_most else "",
    )


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
