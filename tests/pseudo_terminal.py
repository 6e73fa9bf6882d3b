"""A pseudo-terminal for tests that close the terminal or kill the program that runs in it."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

__all__ = ["Program"]

PATIENCE = 40
"""Seconds to wait for an expected event; after this time, the test fails."""


class Program:
    """A run of gamesearch as the session leader in a pseudo-terminal of 80 columns and 24 rows."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.shown = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8", XDG_STATE_HOME=str(folder), **environment)
            os.execv(sys.executable, [sys.executable, "-m", "gamesearch", *arguments])
        os.set_inheritable(self.terminal, False)  # or else later programs keep the terminal open
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def wait_for(self, text: str) -> None:
        """Wait until the new output contains a text."""
        until = time.monotonic() + PATIENCE
        while text.encode() not in self.shown:
            assert time.monotonic() < until, f"{text!r} does not appear in {self.shown[-2000:]!r}"
            self.read(0.1)
        self.shown = self.shown.partition(text.encode())[2]

    def read(self, seconds: float) -> None:
        if select.select([self.terminal], [], [], seconds)[0]:
            try:
                self.shown += os.read(self.terminal, 1 << 16)
            except OSError:
                time.sleep(seconds)  # the program has ended

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def kill(self, number: signal.Signals | None) -> None:
        """Send a signal to the program; None closes the terminal."""
        if number is None:
            os.close(self.terminal)
            self.terminal = -1
        else:
            os.kill(self.pid, number)

    def stop(self, number: signal.Signals) -> None:
        """Stop the program by a signal, and wait until it is stopped: if it continued before, it would stop later."""
        os.kill(self.pid, number)
        until = time.monotonic() + PATIENCE
        while not os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)[0]:
            assert time.monotonic() < until, "the program has not stopped"
            self.read(0.02)

    def exit_code(self, seconds: float = PATIENCE) -> int:
        """Wait for the end of the program, and return its exit code as a shell reports it."""
        until = time.monotonic() + seconds
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            assert time.monotonic() < until, "the program has not ended"
            if self.terminal >= 0:
                self.read(0.02)
            else:
                time.sleep(0.02)

    def echoes(self) -> bool:
        """Whether the terminal is in its original mode, in which it echoes typed text and reads it line by line."""
        flags = termios.tcgetattr(self.terminal)[3]
        return all(flags & flag for flag in (termios.ECHO, termios.ICANON, termios.ISIG))

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        if self.terminal >= 0:
            os.close(self.terminal)
