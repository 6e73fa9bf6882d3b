"""A small process that kills programs after the process that started them was killed.

Lines of its standard input, `+PID` and `-PID`, add and remove process groups. The input always ends when the other
process ends; then this process kills the remaining groups. psutil could not do this, because nothing can run in a
process that was killed. This file imports nothing of gamesearch, so that it starts quickly.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable

__all__ = ["forget", "kill", "remember"]


class Watchdog:
    """The watchdog process, started for the first program."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.starter = 0
        self.lock = threading.RLock()  # a handler of signals may come in between

    def send(self, line: str) -> None:
        """Send a line; if the watchdog has ended, it is started again for the next program."""
        with self.lock:
            if self.process is None or self.starter != os.getpid():
                if line.startswith("-"):
                    return
                self.process, self.starter = start_process(), os.getpid()
            assert self.process.stdin is not None
            try:
                self.process.stdin.write(line.encode() + b"\n")
            except OSError:
                self.process = None


def start_process() -> "subprocess.Popen[bytes]":
    """A new process in its own session, so that signals to gamesearch's group do not reach it."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", __file__],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


_watchdog = Watchdog()


def remember(pid: int) -> None:
    """Kill a process and its group if this process is killed."""
    _watchdog.send(f"+{pid}")


def forget(pid: int) -> None:
    """Forget a process that has ended, because another one may get its number."""
    _watchdog.send(f"-{pid}")


def watch(lines: Iterable[str]) -> None:
    """Read lines to their end, then kill the remaining groups."""
    groups = set[int]()
    for line in lines:
        (groups.add if line.startswith("+") else groups.discard)(int(line[1:]))
    for pid in groups:
        kill(pid)


def kill(pid: int) -> None:
    """Kill a process and all that it started, such as engines."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:  # Windows has no process groups
            os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    watch(sys.stdin)
