"""The watchdog: a small process that kills the programs of another process after that process was killed.

The watchdog reads lines `+PID` and `-PID`, which add and remove process groups. If the process that writes to the
watchdog ends or is killed, the watchdog's input ends. Then the watchdog kills the remaining groups. The library psutil
does not solve this task, because a process that was killed can no longer call it. This file imports nothing from
gamesearch, so that the watchdog starts quickly.
"""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable

__all__ = ["forget", "kill", "remember"]


class Watchdog:
    """The watchdog process; it is started together with the first program."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.starter = 0
        self.lock = threading.RLock()  # reentrant, because a signal handler may interrupt `send`

    def send(self, line: str) -> None:
        """Send a line to the watchdog. If the watchdog has ended, start it again when the next program is added."""
        with self.lock:
            if self.process is None or self.starter != os.getpid():
                if line.startswith("-"):
                    return
                self.process, self.starter = start_process(), os.getpid()
            assert self.process.stdin is not None
            try:
                self.process.stdin.write(line.encode() + b"\n")
            except OSError:
                self.stop()

    def stop(self) -> None:
        """Close the watchdog's input, and wait until the watchdog exits."""
        with self.lock:
            if self.process is not None and self.process.stdin is not None and self.starter == os.getpid():
                self.process.stdin.close()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(1)
            self.process = None


def start_process() -> "subprocess.Popen[bytes]":
    """Start the watchdog in its own session, so that signals to gamesearch's process group do not reach it."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", __file__],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


_watchdog = Watchdog()
atexit.register(_watchdog.stop)


def remember(pid: int) -> None:
    """Let the watchdog kill the process `pid` and its group if the current process is killed."""
    _watchdog.send(f"+{pid}")


def forget(pid: int) -> None:
    """Remove a process that has ended from the watchdog's list, because another process may get the same number."""
    _watchdog.send(f"-{pid}")


def watch(lines: Iterable[str]) -> None:
    """Read lines until the input ends, then kill the remaining groups."""
    groups = set[int]()
    for line in lines:
        (groups.add if line.startswith("+") else groups.discard)(int(line[1:]))
    for pid in groups:
        kill(pid)


def kill(pid: int) -> None:
    """Kill a process and all processes that it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:  # Windows has no process groups
            os.kill(pid, signal.SIGTERM)


if __name__ == "__main__":
    watch(sys.stdin)
