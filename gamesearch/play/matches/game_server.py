"""The program that plays games of a match in a separate process, with the players of both sides.

If a player crashes, hangs or uses all memory, the process that runs the match notices this
(`gamesearch.play.matches.game_process`) and starts another process. Each line of output is a JSON object. Before each
move, the object contains the side to move (`asks`), its time in seconds, and the record of the game so far. At the end
of a game, the object contains only the record. If the game cannot be played, the object contains the reason (`error`).
"""

import contextlib
import faulthandler
import math
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TextIO

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.matches.game_task import CRASH, NO_START, TIME, GameRecord, GameTask, Terms
from gamesearch.play.matches.referee import TO_BEGIN, Referee
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import LONGEST_WAIT, Player
from gamesearch.registry import load
from gamesearch.support.escaping import json_text

__all__ = ["Load", "serve"]

Load = Callable[[str, Game, float | None, str], Player]
"""A function that loads a player from its specification, such as `load_player`."""
LAST_RESORT = 60.0
"""This process ends itself this number of seconds after a time limit, if the process that runs the match has not killed
it before."""
TO_CLOSE = 0.8
"""Seconds for all players to close."""
STARTING = 60.0
"""Seconds for a player to get ready."""


def serve(load_player: Load = load_player) -> None:
    """Play a game for each line of standard input, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the process that runs the match handles Ctrl-C
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that the output of a player is not read as a record
    tasks: queue.SimpleQueue[str] = queue.SimpleQueue()
    host = LoadedPlayers(load_player, output)
    threading.Thread(target=read, args=(tasks, host), daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while True:  # the time limit matters on a cluster: its workers run on after the match
            host.play(tasks.get(timeout=LONGEST_WAIT))
    os._exit(0)


def read(tasks: "queue.SimpleQueue[str]", host: "LoadedPlayers") -> None:
    """Put the lines of standard input into a queue; when the input ends, end the process (the match is over)."""
    for line in sys.stdin:
        tasks.put(line)
    closing = threading.Thread(target=host.close, daemon=True)
    closing.start()
    closing.join(TO_CLOSE)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # also kills engines that hang
    os._exit(0)


class LoadedPlayers:
    """Plays games, and keeps the loaded rules and players for later games of the match."""

    def __init__(self, load_player: Load, output: TextIO) -> None:
        self.load_player, self.output = load_player, output
        self.games: dict[str, Game] = {}
        self.ready: dict[tuple[str, str, str, Terms], Player] = {}
        self.watchdog = open(os.devnull, "w")  # noqa: PTH123, SIM115  # stays open as long as the process runs

    def write(self, **data: Any) -> None:
        """Write a line."""
        self.output.write(json_text(data) + "\n")
        self.output.flush()

    def play(self, line: str) -> None:
        """Play a game, and write its record or an error."""
        task = GameTask.read(line)
        try:
            record = self.play_task(task)
        except GamesearchError as error:
            self.write(error=str(error))
            return
        except Exception as error:
            self.write(error=f"the rules of {task.game} failed in game {task.number + 1}: {error!r}")
            return
        finally:
            faulthandler.cancel_dump_traceback_later()
        if record.failed is not None and record.reason != TIME:
            self.dismiss(self.key(task, record.failed))
        self.write(record=record.text())

    def play_task(self, task: GameTask) -> GameRecord:
        """Load the game and the players of a task, play the game, and return its record."""
        if task.game not in self.games:
            self.games[task.game] = load(task.game)
        game = self.games[task.game]
        players = []
        for side in (0, 1):
            self.report(side, STARTING, GameRecord(task.number, task.labels))
            try:
                players.append(self.player(task, game, side))
            except Exception as error:
                return GameRecord(task.number, task.labels).lost_by(side, CRASH, f"{NO_START}: {error}")
        self.report(None, TO_BEGIN, GameRecord(task.number, task.labels))
        return Referee(game, task, players, self.report).play()

    def player(self, task: GameTask, game: Game, side: int) -> Player:
        """The player of a side, ready for a new game; the player is kept for later games."""
        key = self.key(task, side)
        if key not in self.ready:
            seconds = math.inf if task.terms.is_limited and task.terms.time is None else task.terms.time
            player = self.load_player(task.players[side], game, seconds, task.terms.speed)
            self.report(side, LONGEST_WAIT, GameRecord(task.number, task.labels))
            player.warm_up(game)
            self.ready[key] = player
        self.ready[key].begin()
        return self.ready[key]

    def key(self, task: GameTask, side: int) -> tuple[str, str, str, Terms]:
        """Return the key of a player in `self.ready`. The key contains the player's name in the match, so two players
        with equal specifications have different keys."""
        return task.game, task.players[side], task.labels[side], task.terms

    def dismiss(self, key: tuple[str, str, str, Terms]) -> None:
        """Close a player, for example after a failure; a new player is loaded for the next game."""
        player = self.ready.pop(key, None)
        if player is not None:
            with contextlib.suppress(Exception):
                player.close()

    def close(self) -> None:
        """Close all players. Closing the players also ends their programs, which have their own process groups."""
        for key in list(self.ready):
            self.dismiss(key)

    def report(self, side: int | None, seconds: float, record: GameRecord) -> None:
        """Report the side to move, and start a timer that ends this process if it hangs and nothing else kills it."""
        faulthandler.dump_traceback_later(seconds + LAST_RESORT, exit=True, file=self.watchdog)
        self.write(asks=side, seconds=seconds, record=record.text())


if __name__ == "__main__":
    serve()
