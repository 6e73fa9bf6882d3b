"""Minimax: search every move to a depth, or to the end of the game.

Russell and Norvig, 4th edition, figure 5.3; with depth and evaluation as in section 5.3.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.algorithm import Deepening
from gamesearch.algorithms.engine.parameters import depth_checked, seconds_checked
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.repetition import is_forbidden, note_position, recurs
from gamesearch.algorithms.node.values import drawn_value, evaluated_value, terminal_value
from gamesearch.algorithms.node.workspace import ENDLESS_MOVES, Options, Run, enter, record_variation
from gamesearch.compiler import kernel
from gamesearch.game import FORBIDDEN, MAX, MOST_MOVES, RECURRENCE_DRAWS, Game

__all__ = ["Minimax", "minimax"]


@kernel
def minimax(game: Game[Any], s: Any, depth: int, ply: int, options: Options, run: Run) -> float:
    """The value of s for Max when both players play their best moves, exact to `depth` plies.

    With `options.bounds`, a node is left at a move that reaches the best possible payoff.
    """
    counts, observer = run.counts, run.observer
    enter(ply, options, run)
    if observer is not None:
        observer.enter(s, ply, -math.inf, math.inf)
    if counts.stop:
        best = 0.0
    elif game.terminal(s):
        best = terminal_value(game, s, ply, options, run)
    elif game.recurrence == RECURRENCE_DRAWS and recurs(game, s, depth, ply, run.path):
        best = float(game.draw_value())
        if observer is not None:
            observer.recurrence(ply)
    elif depth <= 0:
        best = evaluated_value(game, s, run)
    else:
        if game.recurrence == FORBIDDEN:
            note_position(game, s, ply, run.path)
        maximizing = game.player(s) == MAX
        best, count = -math.inf if maximizing else math.inf, 0
        for move in game.moves(s):
            count += 1  # Numba compiles this to less
            if count > MOST_MOVES:
                counts.stop = ENDLESS_MOVES
                break
            after = game.result(s, move)
            if game.recurrence == FORBIDDEN and is_forbidden(game, after, ply, run.path):
                continue
            if observer is not None:
                observer.move(ply, move)
            value = minimax(game, after, depth - 1, ply + 1, options, run)
            if counts.stop:
                break
            if value > best if maximizing else value < best:
                best = value
                record_variation(ply, move, run.line)
                if options.bounds and (best >= game.MAXSCORE if maximizing else best <= game.MINSCORE):
                    counts.cutoffs += 1
                    if observer is not None:
                        moves = list(game.moves(s))
                        observer.cutoff(ply, moves.index(move), len(moves))
                    break
        if game.recurrence == FORBIDDEN and math.isinf(best) and not counts.stop:
            best = drawn_value(game, run)
    if observer is not None:
        observer.leave(ply, best)
    return best


class Minimax(Deepening):
    """Every move of every node, to the depth or to the end."""

    name = "minimax"
    summary = "search everything to a depth, or to the end of the game"
    source = "Russell & Norvig, 4th ed., fig. 5.3"
    example = "tictactoe"

    parameter_help: ClassVar[Mapping[str, str]] = {
        **Deepening.parameter_help,
        "bounds": "whether to leave a node at a move that reaches the greatest payoff of the game, or Min's least",
    }

    def __init__(self, depth: int | str = "", time: float = 0.0, bounds: bool = False, deepen: bool = False) -> None:
        self.depth, self.time, self.bounds = depth_checked(depth), seconds_checked(time), bounds
        self.deepen = deepen or time > 0
        self.visits_everything = not bounds and not self.deepen

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The value of the root to a depth, and its principal variation."""
        game = runner.game
        # A value adjusted for ply never equals the best possible payoff.
        runner.begin(depth, "search", bounds=self.bounds, mate_distances=game.win_or_loss and not self.bounds)
        value = runner.execute(minimax, lambda: (game, state, depth, 0, runner.options, runner.run))
        return float(value), runner.variation

    def is_decided(self, runner: Runner, found: SearchResult) -> bool:
        """Whether no greater depth can find another value; with bounds, how soon a win comes is not known."""
        game = runner.game
        is_won = self.bounds and game.win_or_loss and found.value in (game.MINSCORE, game.MAXSCORE)
        return is_won or super().is_decided(runner, found)
