"""Measure the games per hour with several workers, in real games and in games whose players only wait.

A game with waiting players should take a fixed time; any additional time is the cost of the match program.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.game import Game
from gamesearch.play.matches.game_process import serve
from gamesearch.play.matches.game_task import Opening, Terms
from gamesearch.play.matches.running import LocalWorkers, MatchRun
from gamesearch.play.matches.series import Journal, Series
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, Turn

__all__ = ["main"]

PROGRAM = (sys.executable, __file__, "--serve")
SECONDS = 0.5
"""The time per move of a player that only waits, in seconds."""


class Waiting(Player):
    """A player that waits, and then plays the first legal move."""

    specification = "waiting"

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:  # noqa: ARG002
        """Wait, and return the first legal move."""
        time.sleep(SECONDS)
        return SearchResult("waiting", None, "exact", turn.game.steps(turn.state)[0], (), Statistics(nodes=1))


def load_waiting(text: str, game: Game, seconds: float | None, speed: str) -> Player:
    """The player of a specification."""
    return Waiting() if text == "waiting" else load_player(text, game, seconds, speed)


def games_a_second(series: Series, workers: int, games: int) -> float:
    """Games per second. The first games, during which processes are started, do not count."""
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal", series) as journal:
        playing = LocalWorkers(workers, PROGRAM)
        try:
            MatchRun(series, journal, 2 * workers).play(playing)
            before, start = len(journal.records), time.perf_counter()
            MatchRun(series, journal, before + games).play(playing)
            return games / (time.perf_counter() - start)
        finally:
            playing.stop()


def compute(steps: int) -> float:
    """The seconds that a number of arithmetic steps take. The steps use almost no memory."""
    begun, number = time.perf_counter(), 0
    for _ in range(steps):
        number = (number * 1_103_515_245 + 12_345) & 0xFFFF_FFFF
    return time.perf_counter() - begun


def most_that_two_can_gain(steps: int = 10_000_000) -> float:
    """The work that two processes do at the same time, relative to one process. The ratio may be less than 2, because
    cores can share hardware."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        list(pool.map(compute, (1, 1)))
        alone = min(pool.submit(compute, steps).result() for _ in range(3))
        together = min(max(pool.map(compute, (steps, steps))) for _ in range(3))
    return 2 * alone / together


def main() -> None:
    """Print all figures."""
    options = argparse.ArgumentParser()
    options.add_argument("--serve", action="store_true")
    options.add_argument("--waiting", type=int, default=20, help="how many workers only wait")
    chosen = options.parse_args()
    if chosen.serve:
        serve(load_waiting)
        return
    opening = Opening(moves=("1", "4", "2", "5"))  # X then plays 3 and wins
    waiting = Series("tictactoe", ("waiting", "waiting"), (opening,), terms=Terms(time=60))
    alone = 1 / SECONDS
    many = games_a_second(waiting, chosen.waiting, 20 * chosen.waiting)
    ratio = many / alone / chosen.waiting
    print(f"{chosen.waiting} workers, games that wait {SECONDS} s: {ratio:.2f} times the ideal number of games")
    terms = Terms(nodes=150, speed="interpreted")
    real = Series("othello", ("alphabeta", "alphabeta"), plies=4, terms=terms)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(2):
        for workers, found in rates.items():  # in turns, because the speed of a shared machine varies
            found.append(games_a_second(real, workers, 30))
    best = {workers: max(found) for workers, found in rates.items()}
    print(f"2 workers on 2 cores: {best[2] / best[1]:.2f} times the games of 1 ({best[2] * 3600:,.0f} per hour)")
    print(f"limit of this machine: 2 processes do {most_that_two_can_gain():.2f} times the work of 1 process")


if __name__ == "__main__":
    main()
