"""What random games from a leaf say of its value: their mean payoff, and how far that is off.

G. Tesauro, V. T. Rajan and R. Segal 2010, "Bayesian inference in Monte-Carlo tree search" (UAI): what is believed of a
leaf is the posterior of its expected payoff in random games, which narrows with the square root of their number, and
the beliefs above follow as E. B. Baum and W. D. Smith had it. The spread of the payoffs themselves is no such belief:
it would stay as wide however many games are played.
"""

from typing import Any

from gamesearch.algorithms.parts.believing import BeliefNode, Believed
from gamesearch.algorithms.parts.confidence import mean_and_error
from gamesearch.algorithms.parts.playout import Playouts, play_out, stop_at_limit
from gamesearch.algorithms.parts.values import estimate_within
from gamesearch.algorithms.parts.workspace import RUNNING, Options, Run
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["sample_leaf"]


@kernel
def sample_leaf(
    game: Game[Any],
    s: Any,
    ply: int,
    node: BeliefNode,
    options: Options,
    believed: Believed,
    playouts: Playouts,
    run: Run,
) -> None:
    """Set the estimate of a leaf, and its error, by random games from it; by fewer where the search is stopped."""
    total, squares, count = 0.0, 0.0, 0
    while count < believed.playouts and run.counts.stop == RUNNING:
        play_out(game, s, ply, playouts, run)
        payoff = float(playouts.playing.payoffs[0])
        total += payoff
        squares += payoff * payoff
        count += 1
        stop_at_limit(options, run)
    mean, error = mean_and_error(float(game.MINSCORE), float(game.MAXSCORE), total, squares, count)
    node.estimate, node.error = estimate_within(game, mean), error
