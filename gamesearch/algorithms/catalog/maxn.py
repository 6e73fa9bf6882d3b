"""Max^n: minimax for n players. Each player maximizes their own payoff.

C. A. Luckhardt and K. B. Irani 1986, "An algorithmic solution of n-person games", AAAI-86.
"""

from typing import Any

from gamesearch.algorithms.engine.deepening import Deepening
from gamesearch.algorithms.engine.parameters import check_depth, check_seconds
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.weaving.program import search_woven
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, REPETITION_DRAWS, Game
from gamesearch.textbook.many_players import maxn

__all__ = ["MaxN"]


class MaxN(Deepening):
    """Each of n players makes the move with the greatest payoff for that player."""

    name = "maxn"
    summary = "each of n players maximizes their own payoff"
    source = "Luckhardt & Irani 1986"
    is_for_two = False
    handles_chance = True
    example = "'[(1,2,6),(4,2,3)]'"
    textbook = woven_from = staticmethod(maxn)

    def __init__(self, depth: int | str = "", time: float = 0.0, deepen: bool = False) -> None:
        self.depth, self.time, self.deepen = check_depth(depth), check_seconds(time), deepen or time > 0
        self.visits_everything = not self.deepen

    def fits(self, game: Game) -> None:
        """Raise GamesearchError for games whose utility is a single payoff."""
        if game.payoff_count == 1:
            raise GamesearchError(
                f"maxn needs a payoff for each player, but {game.name} has only a payoff for Max: use minimax"
            )
        if game.repetition in (REPETITION_DRAWS, FORBIDDEN):
            raise GamesearchError(f"maxn does not handle repetition, and positions of {game.name} can repeat")

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[Any, tuple[int, ...]]:
        """Search the root to a depth. Returns the payoffs (None if no move was searched) and the principal
        variation."""
        game = runner.game
        runner.begin(depth, "search")
        value = search_woven(runner, self.woven_from, state, depth)
        variation = runner.variation if game.player(state) != CHANCE else ()
        return (None if runner.stopped and not variation else tuple(map(float, value))), variation
