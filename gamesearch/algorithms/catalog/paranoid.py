"""Paranoid search: alpha-beta for three or more players. Paranoid search assumes that all other players oppose the
player to move.

N. R. Sturtevant and R. E. Korf 2000, "On pruning techniques for multi-player games", AAAI-00.
"""

from typing import Any

from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.notation import active_players
from gamesearch.textbook.many_players import paranoid
from gamesearch.toolkit.derived_games import CoalitionGame, Reduction

__all__ = ["Paranoid"]


class Paranoid(AlphaBeta):
    """Alpha-beta for more than two players: all other players minimize the payoff of the player who moves at the
    root."""

    name = "paranoid"
    summary = "alpha-beta for three or more players: one against all others"
    source = "Sturtevant & Korf 2000"
    is_exact = False
    is_for_two = False
    example = "'[(1,2,6),(4,2,3)]'"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
    ) -> None:
        super().__init__(depth, time, deepen, table, memory, order)
        self.is_exact = False
        self.textbook = paranoid  # the kernel is alpha-beta in a CoalitionGame

    def fits(self, game: Game) -> None:
        """Raise GamesearchError for games of two players, and for games with chance nodes."""
        if game.players < 3 and not isinstance(game, CoalitionGame):
            other = "alphabeta" if game.zero_sum else "maxn"
            raise GamesearchError(
                f"paranoid is for three or more players, but {game.name} has {len(active_players(game))}: use {other}"
            )
        if game.chance:
            raise GamesearchError(f"paranoid cannot search the chance nodes of {game.name}: use maxn")

    def game_to_search(self, game: Game, state: Any) -> Game:
        """The game in which the player to move is Max, and all other players together are Min."""
        return game if isinstance(game, Reduction) else CoalitionGame(game, game.player(state))
