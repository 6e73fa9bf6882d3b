"""Play games of a match in a separate process. If that process crashes or hangs, the match continues.

`play_text` takes and returns text, so that any executor can run it on any machine. The process pools of
multiprocessing, concurrent.futures and pebble are not enough. These pools kill a worker, but not the engines that the
worker started. Process pools also do not know whose turn it was when a worker crashed, so no player would lose the
game.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.play.engines.process import LineProcess
from gamesearch.play.matches.game_task import CRASH, HANG, GameRecord
from gamesearch.play.players.player import PlayerError

__all__ = ["PROGRAM", "GameProcess", "play_text"]

PROGRAM = (sys.executable, "-m", "gamesearch.play.matches.game_server")
"""The command of the process that plays the games."""
STARTING = 300.0
"""Seconds within which the process must begin a game, even on a slow machine."""
TO_CLOSE = 1.0
"""Seconds that the process has to close its players before it is killed."""
MOST_KILLED = 3
"""If another program or the system kills the process this often in one game, the side to move loses by a crash."""

_process_of_thread = threading.local()
"""On a cluster, each thread of a worker keeps one process for all games, so that later games use the compiled code."""


def play_text(task: str) -> str:
    """Play a game in the process that belongs to the current thread; takes the task and returns the record as text."""
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
        self.asked: int | None = None
        """The side that was last asked for a move in this game; None if no side was asked yet."""
        self.text = ""
        """The record of the game so far."""
        self.kills = 0
        """The number of times that another program or the system killed the process."""
        self.is_stopped = False
        self.lock = threading.Lock()
        """A lock that is held while the process starts or is stopped."""

    def play_text(self, task: str) -> str:
        """Play a game, and repeat it if the process is killed; takes the task and returns the record as text."""
        for _ in range(MOST_KILLED):
            record = self.play(task)
            if record is not None:
                return record.text()
            self.kills += 1
        return self.blame(CRASH, f"killed {MOST_KILLED} times").text()

    def play(self, task: str) -> GameRecord | None:
        """Play a game and return its record; None if the game must be repeated, because the process was killed by
        another program or ended before the game began."""
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
            # The exit code is 0 if the process waited too long for a task, and ended just before this task.
            if code == -signal.SIGKILL or (code == 0 and self.asked is None):
                return None
            return self.blame(CRASH, str(error))
        self.end()
        if self.asked is None:
            raise GamesearchError(
                "no game has begun, because its process starts too slowly, or because the search for a balanced "
                "opening is too slow: to avoid this search, give openings in a file, or --plies 0"
            )
        return self.blame(HANG, "no answer, so it was killed")

    def blame(self, reason: str, details: str) -> GameRecord:
        """Return the record of the game, in which the side to move loses by a failure."""
        if self.asked is None:
            raise GamesearchError(f"a game cannot begin: its rules or its opening failed ({details})")
        return GameRecord.read(self.text).lost_by(self.asked, reason, details)

    def send(self, task: str) -> LineProcess:
        """Give the process a task, and return the process. If the process does not run, start it first."""
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
                    # The process must find modules in the same folders as this process.
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                )
            child = self.child
        child.write(task)
        return child

    def stop(self) -> None:
        """Close the players and end the process for good, even while another thread plays a game."""
        with self.lock:
            self.is_stopped = True
            if self.child is not None:
                self.child.close_input()

    def end(self) -> int:
        """Let the process close its players, then end it and all programs that it started; returns its exit code."""
        child, self.child = self.child, None
        if child is None:
            return 0
        child.close("", TO_CLOSE)
        return child.process.wait()
