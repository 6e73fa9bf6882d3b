"""A table of what was measured of an evaluation."""

from dataclasses import asdict
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.game import MAX, Game
from gamesearch.learn.assessment import Assessment
from gamesearch.registry import specification_of
from gamesearch.render.tables import table_of_numbers

__all__ = ["AssessmentView", "assessment_data"]


class AssessmentView:
    """A row for each measure."""

    def __init__(self, game: Game[Any], found: Assessment) -> None:
        self.game, self.found = game, found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, with what its numbers are."""
        found = self.found
        yield Text(f"{specification_of(self.game)}: the evaluation", style="bold")
        table = table_of_numbers("measure", "", gap=2)
        table.add_column("")
        truth = "exact values" if found.is_solved else "results of games with itself"
        source = f"{plural(found.positions, 'position')} of {plural(found.games, 'game')}"
        table.add_row(
            "cost of a call", f"{found.nanoseconds:,.0f} ns", f"{found.of_a_move:.2g} times a move, {found.speed}"
        )
        table.add_row("rank correlation", f"{found.correlation:.2f}", f"with {truth}, {source}")
        low, high = found.correlation_low, found.correlation_high
        table.add_row("", "", f"from {low:.2f} to {high:.2f} with 95 % confidence{doubt(found)}")
        table.add_row("ties", f"{100 * found.ties:.0f} %", "of choices have several moves of the best estimate")
        one = self.game.player_name(MAX)
        at_time = f"at {1000 * found.seconds:g} ms a move"
        for strength, where in ((found.strength, f"at depth {found.depth}"), (found.strength_in_time, at_time)):
            row = f"{100 * strength:.0f} %", f"of the points against moves by lot, {where}"
            if not found.has_winner:
                row = f"{strength:.4g}", f"{one}'s mean payoff {where}; by lot {found.by_lot:.4g}"
            table.add_row("strength", *row)
        yield table


def doubt(found: Assessment) -> str:
    """What so few games do not tell."""
    low, high = found.correlation_low, found.correlation_high
    return ": whether it ranks positions at all is open" if low < high and low <= 0 <= high else ""


def assessment_data(game: Game[Any], found: Assessment) -> dict[str, Any]:
    """The table as JSON has it."""
    return {"game": specification_of(game), **asdict(found)}
