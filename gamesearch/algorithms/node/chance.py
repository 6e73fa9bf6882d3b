"""Write the outcomes of a chance node into the path, with their probabilities and with bounds on their values."""

from typing import Any

from gamesearch.algorithms.node.repetition import is_forbidden
from gamesearch.algorithms.node.workspace import OUT_OF_SPACE, Options, Path, Run
from gamesearch.compiler import kernel
from gamesearch.game import FORBIDDEN, Game

__all__ = ["bound_outcomes", "list_outcomes"]


@kernel
def list_outcomes(game: Game, s: Any, ply: int, run: Run) -> int:
    """Write the outcomes of a chance node into `path.moves`, from index `top` on. Returns the number n of outcomes.

    `scores` contains the n probabilities at the same indices, followed by n lower and n upper bounds on the values of
    the outcomes (see `bound_outcomes`). If the outcomes are random moves of a player, moves that repeat a position may
    be forbidden. The probabilities of the other moves then increase. Outcomes of dice are never forbidden.
    """
    path = run.path
    forbids = game.repetition == FORBIDDEN and game.moves_at_random(s)
    top, count, total = path.top, 0, 0.0
    for outcome, probability in game.outcomes(s):
        if forbids and is_forbidden(game, game.result(s, outcome), ply, path):
            continue
        if probability > 0.0:
            if top + 3 * (count + 1) >= len(path.moves):
                run.counts.stop = OUT_OF_SPACE
                break
            path.moves[top + count] = outcome
            path.scores[top + count] = probability
            total += probability
            count += 1
    if forbids:
        for i in range(top, top + count):
            path.scores[i] /= total
    path.top = top + 3 * count
    return count


@kernel
def bound_outcomes(game: Game, s: Any, top: int, count: int, options: Options, path: Path) -> tuple[float, float]:
    """Write bounds on the value of each outcome of a chance node. Returns the bounds on the value of the chance node.

    If `options.bounds` is true, the bounds are the game's own bounds, which must hold at every depth. Otherwise, the
    bounds are the smallest and the greatest payoff of the game.
    """
    at_least, at_most = float(game.MINSCORE), float(game.MAXSCORE)
    for i in range(top, top + count):
        path.scores[i + count] = game.MINSCORE
        path.scores[i + 2 * count] = game.MAXSCORE
        if options.bounds:
            least, greatest = payoffs_within(game, game.result(s, path.moves[i]))
            at_least += path.scores[i] * (least - game.MINSCORE)
            at_most -= path.scores[i] * (game.MAXSCORE - greatest)
            path.scores[i + count] = least
            path.scores[i + 2 * count] = greatest
    return at_least, at_most


@kernel
def payoffs_within(game: Game, s: Any) -> tuple[float, float]:
    """The smallest and the greatest payoff that can follow s. If s is terminal, both are the payoff of s."""
    if game.terminal(s):
        payoff = float(game.utility(s))
        return payoff, payoff
    least, greatest = game.bounds(s)
    return float(least), float(greatest)
