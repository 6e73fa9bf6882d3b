"""A small process that ends programs when whoever started them was killed, and could not do it itself.

It is told which process groups there are by lines of its standard input, `+PID` and `-PID`; at the end of the input,
which comes however the starter ends, it kills those that are left. That needs nothing but pipes and process groups,
which all systems but Windows have. As a program, this file imports nothing of gamesearch, so that it starts quickly.
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
    """The process, started for the first program that is to be remembered."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.starter = 0
        self.lock = threading.RLock()  # a handler of signals may come in between

    def tell(self, line: str) -> None:
        """Tell it a line; where it is gone, it is started again for the next program."""
        with self.lock:
            if self.process is None or self.starter != os.getpid():
                if line.startswith("-"):
                    return
                self.process, self.starter = started(), os.getpid()
            assert self.process.stdin is not None
            try:
                self.process.stdin.write(line.encode() + b"\n")
            except OSError:
                self.process = None


def started() -> "subprocess.Popen[bytes]":
    """A new one, in a session of its own, so that no signal to gamesearch's group reaches it."""
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
    """Have a process and its group ended, should this process be killed."""
    _watchdog.tell(f"+{pid}")


def forget(pid: int) -> None:
    """Let go of a process that has ended: another may have its number soon."""
    _watchdog.tell(f"-{pid}")


def watch(lines: Iterable[str]) -> None:
    """Follow the lines to their end, then kill what is left."""
    groups = set[int]()
    for line in lines:
        (groups.add if line.startswith("+") else groups.discard)(int(line[1:]))
    for pid in groups:
        kill(pid)


def kill(pid: int) -> None:
    """End a process and all that it started, such as engines."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:  # where there are no groups of processes
            os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    watch(sys.stdin)
