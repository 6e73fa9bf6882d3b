"""Max^n: minimax for n players, each of whom takes the move that pays himself most.

C. A. Luckhardt and K. B. Irani 1986, "An algorithmic solution of n-person games", AAAI-86.
"""

from typing import Any

from gamesearch.algorithms.engine.algorithm import Deepening
from gamesearch.algorithms.engine.parameters import depth_checked, seconds_checked
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.values import estimates_within
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, Options, Run, enter, record_variation
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, MOST_MOVES, RECURRENCE_DRAWS, Game
from gamesearch.toolkit.bits import replaced

__all__ = ["MaxN", "maxn"]


@kernel
def maxn(game: Game[Any], s: Any, depth: int, ply: int, options: Options, run: Run) -> Any:
    """The payoffs of all players when each takes the move that pays himself most.

    Among moves that pay the mover the same, the first is taken. The value of a chance node is the tuple of
    expected payoffs.
    """
    enter(ply, options, run)
    if run.observer is not None:
        run.observer.enter(s, ply, None, None)
    if run.counts.stop:
        best = game.evaluate(s)
    elif game.terminal(s):
        run.counts.leaves += 1
        best = game.utility(s)
    elif depth <= 0:
        run.counts.leaves += 1
        run.counts.truncated += 1
        best = estimates_within(game, game.evaluate(s))
    elif game.player(s) == CHANCE:
        best = game.evaluate(s)
        for i in range(len(best)):
            best = replaced(best, i, 0.0)
        for outcome, probability in game.outcomes(s):
            if probability <= 0.0:
                continue
            if run.observer is not None:
                run.observer.move(ply, outcome)
            values = maxn(game, game.result(s, outcome), depth - 1, ply + 1, options, run)
            for i in range(len(best)):
                best = replaced(best, i, best[i] + probability * values[i])
            if run.counts.stop:
                break
    else:
        player = game.player(s)
        best = game.evaluate(s)  # gives Numba the type: a payoff for each player
        is_first, count = True, 0
        for move in game.moves(s):
            count += 1  # noqa: SIM113  # Numba compiles this to less
            if count > MOST_MOVES:
                run.counts.stop = ENDLESS_MOVES
                break
            if run.observer is not None:
                run.observer.move(ply, move)
            values = maxn(game, game.result(s, move), depth - 1, ply + 1, options, run)
            if run.counts.stop:
                break
            if is_first or values[player] > best[player]:
                is_first = False
                best = values
                record_variation(ply, move, run.line)
    if run.observer is not None:
        run.observer.leave(ply, best)
    return best


class MaxN(Deepening):
    """Each of n players takes what is best for himself."""

    name = "maxn"
    summary = "each of n players takes what is best for himself"
    source = "Luckhardt & Irani 1986"
    is_for_two = False
    handles_chance = True
    example = "'[(1,2,6),(4,2,3)]'"

    def __init__(self, depth: int | str = "", time: float = 0.0, deepen: bool = False) -> None:
        self.depth, self.time, self.deepen = depth_checked(depth), seconds_checked(time), deepen or time > 0
        self.visits_everything = not self.deepen

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games with a single payoff."""
        if game.payoff_count == 1:
            raise GamesearchError(
                f"maxn needs a payoff for each of three or more players and {game.name} has {game.players}: use minimax"
            )
        if game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN):
            raise GamesearchError(f"maxn does not know what to do where positions of {game.name} come again")

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[Any, tuple[int, ...]]:
        """The payoffs of the root to a depth, and its principal variation; None if no move was searched."""
        game = runner.game
        runner.begin(depth, "search")
        value = runner.execute(maxn, lambda: (game, state, depth, 0, runner.options, runner.run))
        variation = runner.variation if game.player(state) != CHANCE else ()
        return (None if runner.stopped and not variation else tuple(map(float, value))), variation
