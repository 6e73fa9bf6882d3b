"""A series of games with a player that crashes, hangs or returns illegal moves in a fixed share of its games.

`python tests/failing_games.py play JOURNAL GAMES WORKERS PATIENCE` plays or continues the series and prints the totals.
The games are played by processes that the command `python tests/failing_games.py serve` starts.
"""

import json
import os
import random
import re
import sys
import time

from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.game import Game
from gamesearch.play.matches.game_process import serve
from gamesearch.play.matches.game_task import CRASH, HANG, ILLEGAL, Terms
from gamesearch.play.matches.running import LocalWorkers, MatchRun
from gamesearch.play.matches.series import Journal, Series
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, PlayerError, Turn
from gamesearch.render.series import series_data

__all__ = ["PROGRAM", "failing_series", "fate"]

PROGRAM = (sys.executable, __file__, "serve")
SHARE = 0.05
"""The probability of each kind of failure."""


def fate(seed: int, side: int) -> str:
    """Return how the failing player fails in a game; empty if the player does not fail."""
    drawn = random.Random(f"fate {seed} {side}").random()
    return next((kind for number, kind in enumerate((CRASH, HANG, ILLEGAL), 1) if drawn < number * SHARE), "")


def failing_series(patience: float = 0.1) -> Series:
    """Return a series of the failing player against a random player, with 0.05 seconds for each move."""
    terms = Terms(time=0.05, margin=0.4, patience=patience, speed="interpreted")
    return Series("tictactoe", ("failing", "random"), plies=1, terms=terms)


class Failing(Player):
    """A random player that may fail at its first move; there are several variants of each kind of failure."""

    specification = "failing"

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        kind, ways = fate(turn.seed, turn.mover), random.Random(turn.seed).randrange(3)
        if kind == CRASH:
            if ways == 0:
                raise PlayerError("it had enough")
            if ways == 1:
                raise ZeroDivisionError
            os._exit(3)
        if kind == HANG:
            if ways == 0:
                re.match("(a+)+$", "a" * 60 + "b")  # a move that never releases the interpreter lock
            while ways == 1:
                pass
            time.sleep(1e6)
        steps = turn.game.steps(turn.state)
        best = [None, -1, 10**9][ways] if kind == ILLEGAL else random.Random(turn.seed).choice(steps)
        print("noise on standard output {")
        return SearchResult("failing", None, "exact", best, (), Statistics(nodes=1))


def load_failing(text: str, game: Game, seconds: float | None, speed: str) -> Player:
    return Failing() if text == "failing" else load_player(text, game, seconds, speed)


def play(path: str, games: int, count: int, patience: float) -> None:
    series = failing_series(patience)
    with Journal(path, series) as journal:
        run = MatchRun(series, journal, games)
        workers = LocalWorkers(count, PROGRAM)
        try:
            run.play(workers)
        finally:
            workers.stop()
        print(json.dumps(series_data(run)))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(load_failing)
    else:
        play(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
