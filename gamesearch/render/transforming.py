"""What a transformation of all values does to the choice of moves."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import data_number, plural, value_text
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers
from gamesearch.study.formula import Formula
from gamesearch.study.transforming import Choice

__all__ = ["TransformingView", "transforming_data"]

MOST_SHOWN = 3
"""So many positions with another choice are shown."""


class TransformingView:
    """The moves of positions with both values, and how often another move is chosen."""

    def __init__(self, game: Game[Any], formula: Formula, depth: int | None, chosen: Sequence[Choice]) -> None:
        self.game, self.formula, self.depth, self.chosen = game, formula, depth, chosen

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the first position, those whose choice changes, and what theory says."""
        far = "to the end" if self.depth is None else f"to depth {self.depth}"
        heading = f"{specification_of(self.game)}: every payoff and estimate x becomes {self.formula.text}, {far}"
        yield Text(heading, style="bold")
        if not self.chosen:
            yield Text("no position was compared")
            return
        others = [each for each in self.chosen if each.is_other]
        for each in [*self.chosen[:1], *(each for each in others[:MOST_SHOWN] if each is not self.chosen[0])]:
            yield Text(f"\n{self.game.format(each.state)}", style="bold")
            yield self.table(each)
            yield Text(self.said(each))
        yield Text("")
        yield Text(f"another move is chosen in {len(others)} of {plural(len(self.chosen), 'position')}")
        yield Text(self.theory())

    def table(self, choice: Choice) -> Any:
        """The moves of a position; the best by each value are bold."""
        table = table_of_numbers("move", "value", "transformed")
        rows = zip(choice.moves, choice.before, choice.after, strict=True)
        for place, (move, before, after) in enumerate(rows):
            cells = [
                Text(value_text(value), style="bold" if place == best else "")
                for value, best in ((before, choice.best_before), (after, choice.best_after))
            ]
            table.add_row(self.game.move_name(choice.state, move), *cells)
        return table

    def said(self, choice: Choice) -> str:
        """Which move is chosen."""
        before, after = (
            self.game.move_name(choice.state, choice.moves[best]) for best in (choice.best_before, choice.best_after)
        )
        who = self.game.player_name(self.game.player(choice.state))
        return f"{who} chooses {before}, and then {after}" if choice.is_other else f"{who} chooses {before} by both"

    def theory(self) -> str:
        """What the kind of the transformation promises."""
        least, greatest = self.game.MINSCORE, self.game.MAXSCORE
        between = f"between {value_text(float(least))} and {value_text(float(greatest))}"
        if not self.formula.is_increasing(least, greatest):
            return f"{self.formula.text} does not rise everywhere {between}: nothing keeps the choice as it is"
        if not self.game.chance:
            return f"without chance, minimax only compares values: {self.formula.text} rises {between} and changes none"
        if self.formula.is_linear(least, greatest):
            return f"expected values stay in their order: {self.formula.text} is linear and rises {between}"
        return f"expected values may change their order: {self.formula.text} rises {between}, but is not linear"


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
