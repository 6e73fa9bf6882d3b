"""Helpers for the tests of matches: players, matches in which some moves were played, and a game with repetition."""

from typing import Any

from gamesearch.game import REPETITION_DRAWS, Game
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Human, Player
from gamesearch.registry import load

__all__ = ["HUMAN", "THREE", "Circle", "computer", "match_of", "played"]

HUMAN = Human()
THREE = "[[(1,2,3),(3,2,1)],[(2,2,2),(0,4,0)]]"


def computer(game: Game, text: str = "random(seed=1)") -> Player:
    return load_player(text, game)


def match_of(text: str, *sides: str, seed: int = 0) -> Match:
    game = load(text)
    return Match(game, game.initial(), [load_player(side, game) for side in sides], seed)


def played(match: Match, moves: str) -> Match:
    for name in moves.split():
        match.play(match.game.parse_move(match.state, name))
    return match


class Circle(Game[int]):
    """A game whose positions form a cycle: every position repeats after four moves."""

    repetition = REPETITION_DRAWS

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return s % 2

    def moves(self, s: int) -> Any:
        yield 1

    def result(self, s: int, m: int) -> int:
        return (s + m) % 4

    def terminal(self, s: int) -> bool:
        return False
