"""Minimax: search every move to a depth, or to the end of the game.

The kernel is made from the textbook function (see `algorithms/weaving`).
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.deepening import Deepening
from gamesearch.algorithms.engine.parameters import check_depth, check_seconds
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.weaving.program import search_woven
from gamesearch.textbook.minimax import minimax, minimax_until_won

__all__ = ["Minimax"]


class Minimax(Deepening):
    """Searches every move of every node, to a depth or to the end of the game. If `bounds` is true, a move with the
    best possible payoff ends the search of its node."""

    name = "minimax"
    summary = "minimax to a depth, or to the end of the game"
    source = "Russell & Norvig, 4th ed., fig. 5.3"
    example = "tictactoe"
    woven_from: Callable[..., Any]

    parameter_help: ClassVar[Mapping[str, str]] = {
        **Deepening.parameter_help,
        "bounds": "whether to skip the remaining moves of a node after a move with the best possible payoff",
    }

    def __init__(self, depth: int | str = "", time: float = 0.0, bounds: bool = False, deepen: bool = False) -> None:
        self.depth, self.time, self.bounds = check_depth(depth), check_seconds(time), bounds
        self.deepen = deepen or time > 0
        self.visits_everything = not bounds and not self.deepen
        self.textbook = self.woven_from = minimax_until_won if bounds else minimax

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """Search the root to a depth. Returns the value of the root and the principal variation."""
        game = runner.game
        # If `bounds` is true, all wins have the same value. So the search recognizes a move with the best possible
        # payoff.
        runner.begin(depth, "search", bounds=self.bounds, mate_distances=game.win_or_loss and not self.bounds)
        value = search_woven(runner, self.woven_from, state, depth)
        return float(value), runner.variation

    def is_decided(self, runner: Runner, found: SearchResult) -> bool:
        """Whether the result is final, because no greater depth can change it. If `bounds` is true, a win is final even
        if its distance is unknown."""
        game = runner.game
        is_won = self.bounds and game.win_or_loss and found.value in (game.MINSCORE, game.MAXSCORE)
        return is_won or super().is_decided(runner, found)
