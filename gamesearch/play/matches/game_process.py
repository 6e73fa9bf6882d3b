"""Play games of a match in a separate process. If that process crashes or hangs, the match continues.

`play_text` takes and returns text, so that any executor can run it on any machine. The process pools of
multiprocessing, concurrent.futures and pebble are not enough. These pools kill a worker, but not the engines that the
worker started. Process pools also do not know whose turn it was when a worker crashed, so no player would lose the
game.

In the separate process, the function `serve` plays the games. Each line of output is a JSON object. Before each move,
the object contains the side to move (`asks`), its time in seconds, and the record of the game so far. At the end of a
game, the object contains only the record. If the game cannot be played, the object contains the reason (`error`).
"""

import contextlib
import faulthandler
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.engines.process import LineProcess
from gamesearch.play.matches.game_task import CRASH, HANG, NO_START, TIME, GameRecord, GameTask, Terms
from gamesearch.play.matches.referee import TO_BEGIN, Referee
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import LONGEST_WAIT, Player, PlayerError
from gamesearch.registry import load
from gamesearch.support.escaping import json_text
from gamesearch.user_code.files import refuse_exits

__all__ = ["PROGRAM", "GameProcess", "Load", "play_text", "serve"]

PROGRAM = (sys.executable, "-m", __name__)  # the command of the process that plays the games
STARTING = 300.0  # seconds within which the process must begin a game, even on a slow machine
TO_CLOSE = 1.0  # seconds that the process has to close its players before it is killed
MOST_KILLED = 3  # the side to move loses by a crash if its process is killed this often in one game

_process_of_thread = threading.local()  # each thread of a cluster keeps one process and its compiled code


def play_text(task: str) -> str:
    """Play a game in the process that belongs to the current thread. The task and the returned record are text."""
    if not hasattr(_process_of_thread, "process"):
        _process_of_thread.process = GameProcess()
    record: str = _process_of_thread.process.play_text(task)
    return record


class StoppedError(Exception):
    """The match was stopped during the game."""


class GameProcess:
    """A process that plays games. The process is started for the first game, and again after it has ended."""

    def __init__(self, program: Sequence[str] = PROGRAM) -> None:
        self.program = list(program)
        self.child: LineProcess | None = None
        self.asked: int | None = None  # the side that was last asked for a move in this game
        self.text = ""  # the record of the game so far
        self.kills = 0  # the number of times that another program or the system killed the process
        self.is_stopped = False
        self.lock = threading.Lock()  # a lock that is held while the process starts or is stopped

    def play_text(self, task: str) -> str:
        """Play a game, and repeat it if the process is killed. The task and the returned record are text."""
        for _ in range(MOST_KILLED):
            record = self.play(task)
            if record is not None:
                return record.text()
            self.kills += 1
        return self.blame(CRASH, f"killed {MOST_KILLED} times").text()

    def play(self, task: str) -> GameRecord | None:
        """Play a game and return its record. If its process was killed, return None; then the game must be repeated."""
        data = json.loads(task)
        self.asked, self.text = None, GameRecord(data["number"], tuple(data["labels"])).text()
        until = time.monotonic() + STARTING
        try:
            child = self.send(task)
            while (line := child.read(until)) is not None:
                message: dict[str, Any] = json.loads(line)
                if "error" in message:
                    raise GamesearchError(message["error"])
                self.text = message["record"]
                if "asks" not in message:
                    return GameRecord.read(self.text)
                self.asked = message["asks"]
                until = time.monotonic() + message["seconds"]
        except PlayerError as error:
            if self.is_stopped:
                raise StoppedError from None
            code = self.end()
            # A process that has waited too long for a task ends with code 0, perhaps just before it gets this task.
            if code == -signal.SIGKILL or (code == 0 and self.asked is None):
                return None
            return self.blame(CRASH, str(error))
        self.end()
        if self.asked is None:
            raise GamesearchError(
                "a game did not begin in time, because its process or the search for a balanced opening was too slow: "
                "to play without that search, use --openings FILE or --plies 0"
            )
        return self.blame(HANG, "no answer, so it was killed")

    def blame(self, reason: str, details: str) -> GameRecord:
        """Return the record of the game, which is lost for the side to move, because the player of this side failed."""
        if self.asked is None:
            raise GamesearchError(f"a game cannot begin: its rules or its opening failed ({details})")
        return GameRecord.read(self.text).with_failure_of(self.asked, reason, details)

    def send(self, task: str) -> LineProcess:
        """Send a task to the process, and return the process. If the process is not running, start it first."""
        with self.lock:
            if self.is_stopped:
                raise StoppedError
            if self.child is None or self.child.process.poll() is not None:
                self.end()
                self.child = LineProcess(
                    self.program,
                    "its process",
                    longest_line=-1,
                    stderr=None if os.environ.get("GAMESEARCH_DEBUG") else subprocess.PIPE,
                    # The new process must search the same folders for modules as this process.
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                )
            child = self.child
        child.write(task)
        return child

    def stop(self) -> None:
        """Close the players and end the process for good. Another thread may still be playing a game."""
        with self.lock:
            self.is_stopped = True
            if self.child is not None:
                self.child.close_input()

    def end(self) -> int:
        """Let the process close its players. Then end the process and all programs that it started. Returns the exit
        code of the process."""
        child, self.child = self.child, None
        if child is None:
            return 0
        child.close("", TO_CLOSE)
        return child.process.wait()


# Inside the process. ------------------------------------------------------------------------------
Load = Callable[[str, Game, float | None, str], Player]  # loads a player, as `load_player` does
LAST_RESORT = 60.0  # seconds after a time limit at which this process ends itself if nothing has killed it
TO_CLOSE_PLAYERS = 0.8  # seconds for all players to close
TO_GET_READY = 60.0  # seconds for a player to get ready


def serve(load_player: Load = load_player) -> None:
    """Play a game for each line of standard input, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the process that runs the match handles Ctrl-C
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that the output of a player is not read as a record
    tasks: queue.SimpleQueue[str] = queue.SimpleQueue()
    host = LoadedPlayers(load_player, output)
    threading.Thread(target=queue_input, args=(tasks, host), daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while True:  # the time limit matters on a cluster: its workers run on after the match
            host.play(tasks.get(timeout=LONGEST_WAIT))
    os._exit(0)


def queue_input(tasks: "queue.SimpleQueue[str]", host: "LoadedPlayers") -> None:
    """Put the lines of standard input into a queue. The input ends when the match is over. Then close the players, and
    end this process."""
    for line in sys.stdin:
        tasks.put(line)
    closing = threading.Thread(target=host.close, daemon=True)
    closing.start()
    closing.join(TO_CLOSE_PLAYERS)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # also kills engines that hang
    os._exit(0)


class LoadedPlayers:
    """Plays the games of a match. The loaded rules and players are kept for later games."""

    def __init__(self, load_player: Load, output: TextIO) -> None:
        self.load_player, self.output = load_player, output
        self.games: dict[str, Game] = {}
        self.ready: dict[tuple[str, str, str, Terms], Player] = {}
        self.watchdog = os.open(os.devnull, os.O_WRONLY)  # stays open as long as the process runs

    def write(self, **data: Any) -> None:
        """Write a line."""
        self.output.write(json_text(data) + "\n")
        self.output.flush()

    def play(self, line: str) -> None:
        """Play a game, and write its record or an error."""
        task = GameTask.read(line)
        try:
            with refuse_exits():
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
            self.report(side, TO_GET_READY, GameRecord(task.number, task.labels))
            try:
                players.append(self.player(task, game, side))
            except Exception as error:
                return GameRecord(task.number, task.labels).with_failure_of(side, CRASH, f"{NO_START}: {error}")
        self.report(None, TO_BEGIN, GameRecord(task.number, task.labels))
        return Referee(game, task, players, self.report).play()

    def player(self, task: GameTask, game: Game, side: int) -> Player:
        """Return the player of a side, ready for a new game. The player is kept for later games."""
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
        """Return the key under which a player is stored. Several players of a match may have equal specifications, so
        the key contains the player's name in the match."""
        return task.game, task.players[side], task.labels[side], task.terms

    def dismiss(self, key: tuple[str, str, str, Terms]) -> None:
        """Close a player, for example after a failure. For the next game, a new player is loaded."""
        player = self.ready.pop(key, None)
        if player is not None:
            with contextlib.suppress(Exception):
                player.close()

    def close(self) -> None:
        """Close all players. Closing the players also ends their programs, which have their own process groups."""
        for key in list(self.ready):
            self.dismiss(key)

    def report(self, side: int | None, seconds: float, record: GameRecord) -> None:
        """Report the side to move, and start a timer. The timer ends this process if the process hangs and nothing else
        kills it."""
        faulthandler.dump_traceback_later(seconds + LAST_RESORT, exit=True, file=self.watchdog)
        self.write(asks=side, seconds=seconds, record=record.text())


if __name__ == "__main__":
    serve()
