"""Plays games of a match in a separate process, and survives everything that can happen to that process.

`play_text` takes and returns text, so that any executor can call it anywhere. Pools of processes, such as those of
multiprocessing, concurrent.futures and pebble, cannot do this: they kill a worker, but not the engines that it started,
and they do not know whose turn it was, so that nobody could be blamed for a crash.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.play.engines.process import note_running
from gamesearch.play.matches.game_task import CRASH, HANG, GameRecord

__all__ = ["PROGRAM", "GameProcess", "play_text"]

PROGRAM = (sys.executable, "-m", "gamesearch.play.matches.game_server")
"""The program that plays the games."""
STARTING = 300.0
"""Seconds in which the process has to begin a game, on the slowest of machines."""
TO_CLOSE = 1.0
"""Seconds that the process has to close its players, which may be programs, before it is killed."""
MOST_KILLED = 3
"""If the process is killed so often during a game, apparently from outside, the game counts as a crash."""

_process_of_thread = threading.local()
"""The process of each thread of a cluster's worker. It serves all games, with all that it has compiled and opened."""


def play_text(task: str) -> str:
    """Play a game in the process of this thread; task and record are texts."""
    if not hasattr(_process_of_thread, "process"):
        _process_of_thread.process = GameProcess()
    record: str = _process_of_thread.process.play_text(task)
    return record


class StoppedError(Exception):
    """The match was stopped during the game."""


class GameProcess:
    """A process that plays games. It is started for the first game, and again after it died."""

    def __init__(self, program: Sequence[str] = PROGRAM) -> None:
        self.program = tuple(program)
        self.child: subprocess.Popen[bytes] | None = None
        self.unread = b""
        self.asked: int | None = None
        """The side to move."""
        self.text = ""
        """The record of the game so far."""
        self.kill_group: Callable[[], object] = lambda: None
        """Kills the process with all that it started; it is also called when this process ends."""
        self.kills = 0
        """How often the process was killed from outside."""
        self.is_stopped = False
        self.lock = threading.Lock()
        """Held while the process starts or is stopped."""

    def play_text(self, task: str) -> str:
        """Play a game, several times if the process is killed; task and record are texts."""
        for _ in range(MOST_KILLED):
            record = self.play(task)
            if record is not None:
                return record.text()
            self.kills += 1
        return self.blame(CRASH, f"killed {MOST_KILLED} times").text()

    def play(self, task: str) -> GameRecord | None:
        """Play a game; None if the process was killed from outside, so that no player is to blame."""
        data = json.loads(task)
        self.asked, self.text = None, GameRecord(data["number"], tuple(data["labels"])).text()
        until = time.monotonic() + STARTING
        try:
            self.send(task)
            while True:
                message: dict[str, Any] = json.loads(self.read_line(until))
                if "error" in message:
                    raise GamesearchError(message["error"])
                self.text = message["record"]
                if "asks" not in message:
                    return GameRecord.read(self.text)
                self.asked = message["asks"]
                until = time.monotonic() + message["seconds"]
        except TimeoutError:
            self.end()
            if self.asked is None:
                raise GamesearchError(
                    "no game begins: its process, or the search for a balanced opening, takes too long; "
                    "openings from a file, or --plies 0, need no search"
                ) from None
            return self.blame(HANG, "no answer, so it was killed")
        except (EOFError, BrokenPipeError):
            code = self.end()
            if self.is_stopped:
                raise StoppedError from None
            if code == -signal.SIGKILL or (code == 0 and self.asked is None):  # it waited too long for a task
                return None
            return self.blame(CRASH, f"it ended its process ({ending(code)})")

    def blame(self, reason: str, details: str) -> GameRecord:
        """The record of a game that the side to move lost."""
        if self.asked is None:
            raise GamesearchError(f"a game cannot begin: its rules or its opening failed ({details})")
        return GameRecord.read(self.text).lost_by(self.asked, reason, details)

    def stop(self) -> None:
        """Let the process close its players and end, and start it no more; may be called while another thread plays."""
        with self.lock:
            self.is_stopped = True
            if self.child is not None:
                close_input(self.child)

    def kill(self) -> int:
        """Wait a moment until the process has closed its players, then kill it with all that it started.

        Returns its exit code. May be called while another thread plays.
        """
        child = self.child
        if child is None:
            return 0
        close_input(child)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(TO_CLOSE)  # or it is about to end by itself, and its exit code says why
        self.kill_group()
        return child.wait()

    # The process. --------------------------------------------------------------------------------
    def send(self, task: str) -> None:
        """Give the process a task; start it first if it does not run."""
        with self.lock:
            if self.is_stopped:
                raise StoppedError
            if self.child is None or self.child.poll() is not None:
                self.end()
                self.unread = b""
                self.child = subprocess.Popen(
                    self.program,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=None if os.environ.get("GAMESEARCH_DEBUG") else subprocess.DEVNULL,
                    # It imports from where this process does.
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                    start_new_session=True,  # so that it is killed with all that it started, and never sees Ctrl-C
                )
                self.kill_group = note_running(self, self.child.pid)
        assert self.child.stdin is not None
        self.child.stdin.write(task.encode() + b"\n")
        self.child.stdin.flush()

    def read_line(self, until: float) -> bytes:
        """The next line of the process; raises TimeoutError or EOFError if there is none."""
        assert self.child is not None
        assert self.child.stdout is not None
        pipe = self.child.stdout.fileno()
        while b"\n" not in self.unread:
            if not select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError
            read = os.read(pipe, 1 << 16)
            if not read:
                raise EOFError
            self.unread += read
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def end(self) -> int:
        """End the process if it still runs; its exit code."""
        if self.child is None:
            return 0
        code, child = self.kill(), self.child
        self.child = None
        assert child.stdout is not None
        child.stdout.close()
        return code


def close_input(child: "subprocess.Popen[bytes]") -> None:
    """End the input of a process: it closes its players, and ends."""
    assert child.stdin is not None
    with contextlib.suppress(OSError):
        child.stdin.close()


def ending(code: int) -> str:
    """How a process ended."""
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
