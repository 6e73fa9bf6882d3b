"""The values of leaves (payoffs, draws and estimates), and the adjustment of wins and losses for their distance."""

from typing import Any

from gamesearch.algorithms.node.workspace import MAX_PLY, Options, Run
from gamesearch.compiler import kernel
from gamesearch.game import Game
from gamesearch.toolkit.bits import replace_item

__all__ = [
    "adjusted_for_ply", "cost_of_a_ply", "drawn_value", "estimate_within", "estimates_within", "evaluated_value",
    "terminal_value",
]  # fmt: skip

RELATIVE_PLY_COST = 2.0**-40
"""The value that a win loses with each ply, as a fraction of half the range of payoffs."""
RELATIVE_MARGIN = RELATIVE_PLY_COST * (MAX_PLY + 1) / 2
"""The values of wins lie in an interval at one end of the range of payoffs, and the values of losses in an interval at
the other end. Each interval has this width, as a fraction of the range."""


@kernel
def cost_of_a_ply(game: Game) -> float:
    """The amount by which each ply reduces the value of a win, and increases the value of a loss."""
    return RELATIVE_PLY_COST * (game.MAXSCORE - game.MINSCORE) / 2


@kernel
def adjusted_for_ply(game: Game, value: float, plies: int, ply_cost: float) -> float:
    """Convert the value of a node to the value for a node `plies` plies earlier (or later, if `plies` is negative).

    At an earlier node, a win is worth a little less, and a loss is worth a little more. So searches prefer fast wins
    and slow losses.
    """
    if ply_cost == 0.0:
        return value
    margin = ply_cost * (MAX_PLY + 1)
    if value > game.MAXSCORE - margin:
        return value - ply_cost * plies
    if value < game.MINSCORE + margin:
        return value + ply_cost * plies
    return value


@kernel
def terminal_value(game: Game, s: Any, ply: int, options: Options, run: Run) -> float:
    """Count a leaf at which the game is over. Returns its payoff, adjusted for the ply."""
    run.counts.leaves += 1
    return adjusted_for_ply(game, float(game.utility(s)), ply, options.ply_cost)


@kernel
def drawn_value(game: Game, run: Run) -> float:
    """Count a leaf at which repetition forbids all moves. Returns the value of a draw."""
    run.counts.leaves += 1
    return float(game.draw_value())


@kernel
def evaluated_value(game: Game, s: Any, run: Run) -> float:
    """Count a leaf at the horizon. Returns its evaluation."""
    run.counts.leaves += 1
    run.counts.truncated += 1
    return estimate_within(game, float(game.evaluate(s)))


@kernel
def estimate_within(game: Game, value: float) -> float:
    """Clip an evaluation to the range of payoffs, because null windows and Ballard's pruning rely on this range.

    If the ends of the range are a win and a loss, the evaluation is clipped to a slightly smaller range. So it is never
    mistaken for a win or a loss, whatever the ply. NaN becomes the lowest value.
    """
    least, greatest = game.MINSCORE, game.MAXSCORE
    if game.win_or_loss:
        margin = RELATIVE_MARGIN * (greatest - least)
        least, greatest = least + margin, greatest - margin
    if not value >= least:
        return float(least)
    if value > greatest:
        return float(greatest)
    return value


@kernel
def estimates_within(game: Game, values: Any) -> Any:
    """Clip the evaluations for three or more players to the range of payoffs."""
    for i in range(len(values)):
        values = replace_item(values, i, min(max(values[i], game.MINSCORE), game.MAXSCORE))
    return values
