"""`gamesearch compare --dice`: shows the values of moves if dice are always bad for Max, random, or always good."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.formatting import data_number
from gamesearch.algorithms.engine.result import Limits, SearchResult, Value
from gamesearch.algorithms.root.search import search
from gamesearch.cli.consoles import print_found
from gamesearch.cli.progress import show_progress
from gamesearch.cli.reading import read_unfinished
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.optional import mark_assumed
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers, view
from gamesearch.render.value_words import number_text, value_heading
from gamesearch.toolkit.derived_games import ChosenDice

__all__ = ["compare_dice"]

DEEPEST_BY_DEFAULT = 5
DIGITS = 12
"""The number of decimals of printed values. Sums of probabilities have rounding errors in about the 16th digit."""
VIEWS = ("pessimistic", "expected", "optimistic")
"""Three assumptions about chance: Min chooses each outcome, each outcome is random, or Max chooses each outcome."""


def compare_dice(game: str, position: str, depth: int | None, only_ascii: bool, as_json: bool) -> int:
    """Print the values of a position and its moves under each assumption about chance; return the exit code.

    Raises GamesearchError for a game without chance.
    """
    played, state = read_unfinished(game, position, "compare")
    if not played.chance or played.payoff_count > 1:
        raise GamesearchError("--dice is for zero-sum games with chance, such as pig and backgammon")
    plies = depth or min(played.suggested_depth or DEEPEST_BY_DEFAULT, DEEPEST_BY_DEFAULT)
    games = (ChosenDice(played, MIN), played, ChosenDice(played, MAX))
    found = list[SearchResult]()
    with show_progress("comparing") as monitor:
        for seen in games:
            algorithm = load_algorithm("expectiminimax" if seen.chance else "alphabeta")
            has_moves = played.player(state) in (MAX, MIN)
            kinds: dict[str, Any] = {"moves": has_moves, "speed": "interpreted", "monitor": monitor}
            found.append(search(seen, state, algorithm, limits=Limits(plies), **kinds))
            if monitor.interrupted:
                return 1
    data = dice_data(played, state, found, plies)
    print_found(dice_view(played, state, games, data), lambda: data, as_json, only_ascii)
    return 0


def dice_data(game: Game, state: Any, found: list[SearchResult], depth: int) -> dict[str, Any]:
    """The values of the moves under each assumption about chance, as JSON."""
    named = [{game.move_name(state, each.move): each.value for each in result.moves} for result in found]
    return {
        "game": specification_of(game),
        "position": game.format(state),
        "depth": depth,
        "values": {name: round_value(result.value) for name, result in zip(VIEWS, found, strict=True)},
        "best": {
            name: None if result.best is None or not result.moves else game.move_name(state, result.best)
            for name, result in zip(VIEWS, found, strict=True)
        },
        "moves": {
            move: {name: round_value(values[move]) for name, values in zip(VIEWS, named, strict=True)}
            for move in named[1]
        },
    }


def round_value(value: Value | None) -> Any:
    """Convert a value to JSON. Rounding errors of the sum over the outcomes are removed: 2.6e-18 becomes 0."""
    return data_number(round(value, DIGITS) if isinstance(value, float) else value)


@view
def dice_view(game: Game, state: Any, games: Sequence[Game], data: dict[str, Any]) -> RenderResult:
    """Show the table of values. A star marks the best move under each assumption about chance."""
    yield Text(f"{data['game']}  {data['position']}: {value_heading(game)}, to depth {data['depth']}", style="bold")
    yield Text()

    def numbers(s: Any, values: dict[str, Any]) -> list[str]:
        shown = zip(VIEWS, games, strict=True)
        return [mark_assumed(game, s, number_text(game, values[name]), seen) for name, seen in shown]

    rows = [("position", *numbers(state, data["values"]))]
    for move, values in data["moves"].items():
        stars = ("*" if data["best"][name] == move else "" for name in VIEWS)
        found = numbers(game.result(state, game.parse_move(state, move)), values)
        rows.append((move, *(star + number for star, number in zip(stars, found, strict=True))))
    yield table_of_numbers("move", *VIEWS, rows=rows)
    yield Text()
    yield Text("pessimistic: Min chooses outcomes; optimistic: Max does; *: the best move", style="dim")
