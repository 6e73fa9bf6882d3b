"""Helpers for the tests of matches: players, matches in which some moves were played, a game with repetition,
and a player that prepares."""

import threading
import time
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult, Statistics
from gamesearch.game import REPETITION_DRAWS, Game
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Human, Player, Turn
from gamesearch.registry import load

__all__ = ["HUMAN", "THREE", "Circle", "Preparing", "computer", "match_of", "play_moves"]

HUMAN = Human()
THREE = "[[(1,2,3),(3,2,1)],[(2,2,2),(0,4,0)]]"


def computer(game: Game, text: str = "random(seed=1)") -> Player:
    return load_player(text, game)


def match_of(text: str, *sides: str, seed: int = 0) -> Match:
    game = load(text)
    return Match(game, game.initial(), [load_player(side, game) for side in sides], seed)


def play_moves(match: Match, moves: str) -> Match:
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


class Preparing(Player):
    """A player that seems to compile its code until the test sets `may_end`."""

    specification = "preparing"
    is_search = False

    def __init__(self) -> None:
        self.algorithm = load_algorithm("minimax(depth=1)")
        self.may_end, self.is_prepared = threading.Event(), False
        self.turn: Turn | None = None

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        assert monitor is not None
        self.turn = turn
        monitor.poll(Progress(compiling="kernel", compiling_since=time.perf_counter(), compiling_expected=40.0))
        self.may_end.wait(20)
        self.is_prepared = True

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        assert self.is_prepared, "the player is asked for a move before its code is compiled"
        return SearchResult("preparing", 0.0, "exact", turn.game.steps(turn.state)[0], (), Statistics())
