"""The measurements of an evaluation: its cost, its accuracy and its strength."""

from dataclasses import asdict
from typing import Any

from rich.console import RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.game import MAX, Game
from gamesearch.learn.assessment import Assessment
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, text_column, view

__all__ = ["assessment_data", "assessment_view"]


@view
def assessment_view(game: Game, found: Assessment) -> RenderResult:
    """Show a row for each measurement of an evaluation, with the meaning of the number."""
    yield Text(f"{specification_of(game)}: the evaluation", style="bold")
    truth = "exact values" if found.is_solved else "results of games against itself"
    source = f"{plural(found.positions, 'position')} of {plural(found.games, 'game')}"
    low, high = found.correlation_low, found.correlation_high
    wheres = {
        f"at depth {found.depth}": found.strength,
        f"at {1000 * found.seconds:g} ms a move": found.strength_in_time,
    }
    one, random_strength = game.player_name(MAX), f"{found.strength_of_random_moves:.4g}"
    rows = [
        (
            "cost of a call",
            f"{found.nanoseconds:,.0f} ns",
            f"{found.of_a_move:.2g} times the cost of a move, {found.speed}",
        ),
        ("rank correlation", f"{found.correlation:.2f}", f"with {truth}, {source}"),
        ("", "", f"95 % interval {low:.2f} to {high:.2f}{reliability_remark(found)}"),
        ("ties", f"{100 * found.ties:.0f} %", "of positions have several moves with the best estimate"),
        *(
            ("strength", f"{100 * strength:.0f} %", f"of the points against random moves, {where}")
            if found.has_winner
            else ("strength", f"{strength:.4g}", f"{one}'s mean payoff {where}; with random moves {random_strength}")
            for where, strength in wheres.items()
        ),
    ]
    yield plain_table(text_column("measure"), number_column(""), Column(), rows=rows, gap=2)


def reliability_remark(found: Assessment) -> str:
    """Return a remark if the games are too few for a reliable correlation; otherwise an empty text."""
    low, high = found.correlation_low, found.correlation_high
    return ": too few games to say if the evaluation is better than chance" if low < high and low <= 0 <= high else ""


def assessment_data(game: Game, found: Assessment) -> dict[str, Any]:
    """The table as JSON."""
    return {"game": specification_of(game), **asdict(found)}
