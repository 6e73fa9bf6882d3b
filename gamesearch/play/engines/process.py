"""A child process that reads and writes lines. Each answer has a time limit. When the parent ends, the child also
ends.

Other libraries do not fit: `asyncio` needs an event loop in each caller, `pexpect` may give the child a terminal, which
can change its output, and `psutil` cannot end the child after the parent was killed.
"""

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from gamesearch.errors import GamesearchError
from gamesearch.play.engines import watchdog
from gamesearch.play.players.player import PlayerError

__all__ = ["LineProcess", "command_line", "end_on_termination", "note_running"]

ALSO_IN = ("/usr/games", "/usr/local/games")  # folders in which Debian installs games; not every PATH contains them
LONGEST_LINE = 1 << 16
MOST_UNREAD = 10_000  # the greatest number of unread lines; a process that writes more has to wait
INTERVAL = 0.05  # seconds between two calls of `poll`


def command_line(path: str) -> list[str]:
    """Split a command into words. The first word becomes the full path of the program, which must exist."""
    try:
        words = shlex.split(path)
    except ValueError:
        raise GamesearchError(f"the command {path!r} has no closing quote") from None
    if not words:
        raise GamesearchError('an engine needs its command, such as path="gnugo --mode gtp"')
    search = os.pathsep.join((os.environ.get("PATH", os.defpath), *ALSO_IN))
    program = shutil.which(os.path.expanduser(words[0]), path=search)  # noqa: PTH111
    if program is None:
        if Path(words[0]).expanduser().is_file():
            raise GamesearchError(f"{words[0]} cannot be started: it is not an executable file")
        raise GamesearchError(f"program {words[0]!r} not found: install it, or give its file with path=")
    return [os.path.abspath(program), *words[1:]]  # noqa: PTH100


RUNNING: set[int] = set()  # the numbers (PID) of the running child processes


def end_on_termination() -> None:
    """Let SIGTERM end the child processes before this process, unless SIGTERM already has a handler."""
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, end_all)


def end_all(number: int, _: object) -> None:
    """End all child processes, and then end this process with the same signal."""
    for pid in tuple(RUNNING):
        kill_group(pid)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def note_running(owner: object, pid: int) -> Callable[[], object]:
    """Make sure that a child process is killed when its owner is deleted or when this process ends. Returns a function
    that kills the child process immediately."""
    RUNNING.add(pid)
    watchdog.remember(pid)
    return weakref.finalize(owner, kill_group, pid)


def kill_group(pid: int) -> None:
    """End a process and all processes that it started."""
    RUNNING.discard(pid)
    watchdog.kill(pid)
    watchdog.forget(pid)


class LineProcess:
    """A running program. A thread reads the lines that the program writes. The program has its own session, so that
    Ctrl-C reaches only gamesearch. `close()` kills the program and all processes that it started. If gamesearch itself
    is killed, a watchdog process kills them."""

    def __init__(
        self,
        command: list[str],
        name: str,
        longest_line: int = LONGEST_LINE,
        stderr: int | None = subprocess.PIPE,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`stderr` and `env` are arguments of `subprocess.Popen`."""
        self.name = name
        end_on_termination()
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=stderr, env=env, start_new_session=True
            )
        except OSError as error:
            raise PlayerError(f"{name} cannot be started: {error.strerror or error}") from None
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_UNREAD)
        self.next_poll, self.said = 0.0, 0  # the time of the next call of `poll`, and the number of sent lines
        self.last_error: list[str] = [""]
        self.is_closed = threading.Event()
        reading = self.process.stdout, longest_line, self.lines, self.is_closed
        self.threads = [threading.Thread(target=read_lines, args=reading, daemon=True)]
        if self.process.stderr is not None:
            reading_errors = self.process.stderr, self.last_error
            self.threads.append(threading.Thread(target=keep_last_line, args=reading_errors, daemon=True))
        for thread in self.threads:
            thread.start()
        self.kill = note_running(self, self.process.pid)

    def write(self, *lines: str) -> None:
        """Send lines to the program."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self.process.stdin.flush()
        except (OSError, ValueError):  # the program ended, or its input was closed
            raise self.end_error() from None
        self.said += len(lines)

    def read(self, deadline: float, poll: Callable[[], bool] = lambda: False) -> str | None:
        """Wait for the next line. If `poll` returns True, or the deadline (a time of `time.monotonic`) passes, return
        None. Raises PlayerError if the program ended."""
        while (now := time.monotonic()) < deadline:
            if self.is_closed.is_set():
                raise self.end_error()
            if now >= self.next_poll:  # poll even if the program writes lines without a pause
                self.next_poll = now + INTERVAL
                if poll():
                    return None
            with contextlib.suppress(queue.Empty):
                line = self.lines.get(timeout=min(deadline - now, INTERVAL))
                if line is None:
                    raise self.end_error()
                return line
        return None

    def end_error(self) -> PlayerError:
        """Make the exception for a program that has ended. The message contains the last line that the program wrote to
        standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.threads[-1].join(0.2)
        code = self.process.returncode
        how = "has closed its output" if code is None else f"ended (code {code})"
        if code is not None and code < 0:
            how = f"was killed (signal {-code})"
        return PlayerError(f"{self.name} {how}{f': {self.last_error[0]}' if self.last_error[0] else ''}")

    def close_input(self) -> None:
        """Close the standard input of the program."""
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]

    def close(self, farewell: str | None = None, patience: float = 0.5) -> None:
        """Kill the program. If `farewell` is given, first send it, and wait up to `patience` seconds for the program to
        end."""
        if self.is_closed.is_set():
            return
        self.is_closed.set()
        try:
            if farewell is not None and self.process.poll() is None:
                if farewell:
                    with contextlib.suppress(PlayerError):  # the program no longer reads, but may still end by itself
                        self.write(farewell)
                self.close_input()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(patience)
        finally:
            self.kill()
            self.process.wait()
            for thread in self.threads:
                thread.join(1)
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()  # type: ignore[union-attr]


def read_lines(
    pipe: IO[bytes], longest_line: int, lines: "queue.Queue[str | None]", is_closed: threading.Event
) -> None:
    """Put the lines of a pipe into a queue. After the last line, put None into the queue."""
    while not is_closed.is_set():
        try:
            line = pipe.readline(longest_line)
        except (OSError, ValueError):
            line = b""
        text = line.decode(errors="replace").rstrip("\r\n") if line else None
        while not is_closed.is_set():
            with contextlib.suppress(queue.Full):
                lines.put(text, timeout=INTERVAL)
                break
        if text is None:
            return


def keep_last_line(pipe: IO[bytes], last: list[str]) -> None:
    """Read a pipe to its end, so that the program does not block, and keep the last line."""
    with contextlib.suppress(OSError, ValueError):
        while line := pipe.readline(LONGEST_LINE):
            text = " ".join(line.decode(errors="replace").split())
            if text:
                last[0] = text[:200]
