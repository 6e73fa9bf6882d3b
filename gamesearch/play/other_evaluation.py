"""An algorithm that values positions as another game of the same rules does: evaluations play against each other."""

from dataclasses import replace
from typing import Any

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.player import Turn
from gamesearch.play.searching import AlgorithmPlayer
from gamesearch.registry import specification_of
from gamesearch.specification import format_specification

__all__ = ["SEEING", "SeeingPlayer"]

SEEING = "seeing"


class SeeingPlayer(AlgorithmPlayer):
    """An algorithm that searches by a game of its own, such as `chess(values=lasker)` in a match of chess.

    The states of both games are the same, so that only what positions are worth may differ.
    """

    def __init__(self, game: Game[Any], seen: Game[Any], algorithm: Algorithm, speed: str = "auto") -> None:
        if type(seen).name != type(game).name or seen.initial() != game.initial():
            raise GamesearchError(
                f"{specification_of(seen)} begins unlike {specification_of(game)}: name the same game, "
                "with other parameters of its evaluation alone"
            )
        super().__init__(algorithm, speed)
        algorithm.fits(seen)
        self.seen_game = seen
        parts = {"game": specification_of(seen), "algorithm": algorithm.specification}
        self.specification = format_specification(SEEING, parts)

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Search the present position by the rules of its own game."""
        assert self.seen_game is not None
        return super().answer(replace(turn, game=self.seen_game), monitor)
