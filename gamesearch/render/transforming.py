"""What a transformation of all values does to the choice of moves."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, plural, value_text
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.view import view
from gamesearch.study.formula import Formula
from gamesearch.study.transforming import Choice

__all__ = ["transforming_data", "transforming_view"]

MOST_SHOWN = 3
"""So many positions with another choice are shown."""


@view
def transforming_view(game: Game[Any], formula: Formula, depth: int | None, chosen: Sequence[Choice]) -> RenderResult:
    """The first position with both values of its moves, those whose choice changes, and what theory says."""
    heading = f"{specification_of(game)}: every payoff and estimate x becomes {formula.text}"
    yield Text(f"{heading}, {'to the end' if depth is None else f'to depth {depth}'}", style="bold")
    if not chosen:
        yield Text("no position was compared")
        return
    others = [each for each in chosen if each.is_other]
    for each in [*chosen[:1], *(each for each in others[:MOST_SHOWN] if each is not chosen[0])]:
        yield Text(f"\n{game.format(each.state)}", style="bold")
        yield table_of_numbers("move", "value", "transformed", rows=move_rows(game, each))
        yield Text(said(game, each))
    yield Text("")
    yield Text(f"another move is chosen in {len(others)} of {plural(len(chosen), 'position')}")
    yield Text(theory(game, formula))


def move_rows(game: Game[Any], choice: Choice) -> Iterator[tuple[str | Text, ...]]:
    """The moves of a position with their values; the best by each value are bold."""
    rows = zip(choice.moves, choice.before, choice.after, strict=True)
    for place, (move, *values) in enumerate(rows):
        best = (choice.best_before, choice.best_after)
        cells = (Text(value_text(value), "bold" if place == at else "") for value, at in zip(values, best, strict=True))
        yield game.move_name(choice.state, move), *cells


def said(game: Game[Any], choice: Choice) -> str:
    """Which move is chosen."""
    best = (choice.best_before, choice.best_after)
    before, after = (game.move_name(choice.state, choice.moves[place]) for place in best)
    who = game.player_name(game.player(choice.state))
    return f"{who} chooses {before}, and then {after}" if choice.is_other else f"{who} chooses {before} by both"


def theory(game: Game[Any], formula: Formula) -> str:
    """What the kind of the transformation promises."""
    least, greatest = game.MINSCORE, game.MAXSCORE
    between = f"between {value_text(float(least))} and {value_text(float(greatest))}"
    if not formula.is_increasing(least, greatest):
        return f"{formula.text} does not rise everywhere {between}: nothing keeps the choice as it is"
    if not game.chance:
        return f"without chance, minimax only compares values: {formula.text} rises {between} and changes none"
    if formula.is_linear(least, greatest):
        return f"expected values stay in their order: {formula.text} is linear and rises {between}"
    return f"expected values may change their order: {formula.text} rises {between}, but is not linear"


def transforming_data(game: Game[Any], formula: Formula, depth: int | None, chosen: Sequence[Choice]) -> dict[str, Any]:
    """What was found as JSON has it."""
    return {
        "game": specification_of(game),
        "formula": formula.text,
        "depth": depth,
        "increasing": formula.is_increasing(game.MINSCORE, game.MAXSCORE),
        "linear": formula.is_linear(game.MINSCORE, game.MAXSCORE),
        "chance": game.chance,
        "changed": sum(each.is_other for each in chosen),
        "positions": [choice_data(game, each) for each in chosen],
    }


def choice_data(game: Game[Any], choice: Choice) -> dict[str, Any]:
    """A position with its moves."""
    names = [game.move_name(choice.state, move) for move in choice.moves]
    rows = zip(names, choice.before, choice.after, strict=True)
    return {
        "position": game.format(choice.state),
        "other": choice.is_other,
        "best": names[choice.best_before],
        "best_transformed": names[choice.best_after],
        "moves": [
            {"move": name, "value": data_number(before), "transformed": data_number(after)}
            for name, before, after in rows
        ],
    }
