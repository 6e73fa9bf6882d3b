"""Plays a game of a series in a process of its own, and survives whatever happens to that process.

`play_text` is the unit of work of a series: it takes text and returns text, so that any executor can call it anywhere.
"""

import contextlib
import json
import math
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.play.engines import watchdog
from gamesearch.play.matches.game_task import CRASH, HANG, GameRecord

__all__ = ["PROGRAM", "GameProcess", "allow_fork", "kill_all", "play_text"]

PROGRAM = (sys.executable, "-m", "gamesearch.play.matches.game_server")
"""What plays the games."""
STARTING = 300.0
"""Seconds in which the process has to say something, on the slowest of machines."""
TO_CLOSE = 1.0
"""Seconds that the process has to close its players, which may be programs, before it is killed."""
POLLING = 0.002
"""Seconds between two looks at whether a copy has ended."""
MOST_KILLED = 3
"""A game in which the process was killed so often, from outside as it seems, counts as a crash."""

_here = threading.local()
"""The process of each thread: kept, so that what it has compiled and opened serves all its games."""
_living: set["Child"] = set()
"""The processes that this one has started and not yet ended."""
_can_fork = False
"""Whether this process may be copied in place of starting Python again: it runs no search and holds no lock."""


def allow_fork() -> None:
    """Let games be played in copies of this process, which need not import everything again."""
    global _can_fork
    _can_fork = hasattr(os, "fork")


class ForkedServer:
    """A copy of this process that plays games, with the part of the interface of `subprocess.Popen` that is used."""

    def __init__(self) -> None:
        tasks, self_to_tasks = os.pipe()
        self_from_answers, answers = os.pipe()
        self.returncode: int | None = None
        self.pid = os.fork()
        if self.pid == 0:
            try:
                serve_in_copy(tasks, answers)
            finally:
                os._exit(1)
        os.close(tasks)
        os.close(answers)
        self.stdin = os.fdopen(self_to_tasks, "wb")
        self.stdout = os.fdopen(self_from_answers, "rb")

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the exit code; raises subprocess.TimeoutExpired."""
        until = math.inf if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() >= until:
                raise subprocess.TimeoutExpired("the process of games", timeout or 0.0)
            time.sleep(POLLING)
        return code


Child = subprocess.Popen[bytes] | ForkedServer


def serve_in_copy(tasks: int, answers: int) -> None:
    """Play games in this copy of a process, after making it as independent of its parent as a new program."""
    from gamesearch.play.matches.game_server import serve

    os.setsid()  # so that it is killed with all that it starts
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(tasks, 0)
    os.dup2(answers, 1)
    if not os.environ.get("GAMESEARCH_DEBUG"):
        os.dup2(nothing, 2)
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if hasattr(os, "sysconf") else 1024)
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    _living.clear()
    serve()


def kill_all() -> None:
    """End what this process has started, before it ends itself: a process that hangs would not notice."""
    children = list(_living)
    for child in children:
        let_go(child)
    until = time.monotonic() + TO_CLOSE
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, until - time.monotonic()))
        watchdog.kill(child.pid)


def let_go(child: Child) -> None:
    """End the input of a process: it closes its players, and ends."""
    if child.stdin is not None:
        with contextlib.suppress(OSError):
            child.stdin.close()


def play_text(task: str, program: Sequence[str] = ()) -> str:
    """Play the game that a text stands for; the text of its record."""
    process = getattr(_here, "process", None)
    if process is None or process.program != tuple(program or PROGRAM):
        process = _here.process = GameProcess(program or PROGRAM)
    for _ in range(MOST_KILLED):
        record: GameRecord | None = process.play(task)
        if record is not None:
            return record.text()
    return process.blame(CRASH, f"killed {MOST_KILLED} times").text()


class GameProcess:
    """A process that plays games, started when there is one to play, and again after it died."""

    def __init__(self, program: Sequence[str] = PROGRAM) -> None:
        self.program = tuple(program)
        self.child: Child | None = None
        self.unread = b""
        self.asked: int | None = None
        """The side whose turn it is."""
        self.text = ""
        """The record of the game as far as it is known; read only when it is needed."""

    def play(self, task: str) -> GameRecord | None:
        """Play a game; None where the process was killed from outside, so that nobody is to blame."""
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
                    "no game begins: the process to play it, or a search for a balanced opening, takes too long; "
                    "openings from a file, or --plies 0, need no search"
                ) from None
            return self.blame(HANG, "no answer: it was killed")
        except (EOFError, BrokenPipeError):
            code = self.end()
            if code == -signal.SIGKILL or (code == 0 and self.asked is None):  # it had waited too long for a task
                return None
            return self.blame(CRASH, f"it ended the process it played in ({ending(code)})")

    def blame(self, reason: str, details: str) -> GameRecord:
        """The record of a game that the side to move lost."""
        if self.asked is None:
            raise GamesearchError(f"a game cannot even begin: the rules, or its opening, have failed ({details})")
        return GameRecord.read(self.text).lost_by(self.asked, reason, details)

    # The process. --------------------------------------------------------------------------------
    def send(self, task: str) -> None:
        """Give the process a task; start it first, where there is none."""
        if self.child is None or self.child.poll() is not None:
            self.end()
            # What Python was told to import from, the process has to be told, too.
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
            errors = None if os.environ.get("GAMESEARCH_DEBUG") else subprocess.DEVNULL
            self.unread = b""
            if _can_fork and self.program == PROGRAM:
                self.child = ForkedServer()
            else:
                self.child = subprocess.Popen(
                    self.program,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    env=environment,
                    start_new_session=True,  # so that it is killed with all that it started
                )
            _living.add(self.child)
        assert self.child.stdin is not None
        self.child.stdin.write(task.encode() + b"\n")
        self.child.stdin.flush()

    def read_line(self, until: float) -> bytes:
        """The next line of the process; raises TimeoutError or EOFError where there is none."""
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
        """Kill the process if it is still there; its exit code."""
        if self.child is None:
            return 0
        child, self.child = self.child, None
        let_go(child)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(TO_CLOSE)  # it closes its players, or is about to end by itself, with a code that tells why
        watchdog.kill(child.pid)
        code = child.wait()
        _living.discard(child)
        child.stdout.close()  # type: ignore[union-attr]
        return code


def ending(code: int) -> str:
    """How a process ended."""
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"
