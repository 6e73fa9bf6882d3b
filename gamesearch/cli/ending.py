"""When a signal arrives, remove half-written files, restore the terminal, and end the process immediately.

The signal handler does not save anything, because `play` saves a game after every move. So the process can end without
waiting for a search, a compilation or a closed terminal.
"""

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from gamesearch.files.whole import remove_unfinished

termios: Any = None
with contextlib.suppress(ImportError):  # only on POSIX; other systems end the process without this module
    import termios

__all__ = ["full_screen", "guard_process", "last_words"]

SIGNALS = tuple(getattr(signal, name) for name in ("SIGHUP", "SIGTERM", "SIGQUIT") if hasattr(signal, name))
PATIENCE = 0.5  # seconds after which the process ends even if the terminal accepts no more output
INTERVAL = 0.5  # seconds between two checks whether the terminal still exists, for programs that need a terminal
WAKES, PAUSE = 10, 0.1  # how many times the main thread is woken after a signal, and the seconds between two wake-ups
RESTORE = "\x1b[?2004l\x1b[0m\x1b[?25h"  # switches off bracketed paste and colors, and shows the cursor
LEAVE_FULL_SCREEN = (
    "\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?1004l\x1b[?2048l\x1b[?7h\x1b[<u\x1b[?1049l"
)
"""The escape sequence that undoes the settings of Textual. The sequence switches off the alternate screen and the Kitty
keyboard protocol. It also switches off reports about the mouse, the focus and the size, and switches on line
wrapping."""


class Guard:
    """Ends the process when a signal arrives, and restores the terminal if the process has one."""

    def __init__(self, terminal: int | None) -> None:
        self.process, self.terminal = os.getpid(), -1 if terminal is None else os.dup(terminal)
        self.attributes = None if terminal is None else termios.tcgetattr(terminal)
        self.has_full_screen = False
        self.needs_terminal = False
        self.last_words: Callable[[], str] = str
        self.has_begun = threading.Lock()

    def install(self) -> None:
        """Install handlers for the signals that still have their default action.

        Python runs handlers only between two instructions of the main thread. One instruction may take seconds, for
        example if it compiles a function. So a second thread also reads each signal from a pipe. After Ctrl-C, the
        second thread sends SIGURG to the main thread. While readline waits for a key, it does not notice Ctrl-C; SIGURG
        interrupts this wait. The second thread also sends SIGURG after SIGCONT, because another thread may have
        received SIGCONT. This wakes a full screen that waits for input.
        """
        handled = [number for number in SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
        for number in handled:
            signal.signal(number, self.end)
        signal.signal(signal.SIGURG, lambda *_: None)
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        threading.Thread(target=self.listen, args=(reading, handled), daemon=True).start()

    def listen(self, pipe: int, handled: list[int]) -> None:
        """Wait for a signal, and then end the process. If the process needs a terminal, also end it when the terminal
        is lost."""
        main, wakes = threading.main_thread().ident or 0, 0
        while True:
            if select.select([pipe], [], [], PAUSE if wakes else INTERVAL)[0]:
                number = os.read(pipe, 1)[0]
                if number in handled or (number == signal.SIGINT and self.has_full_screen):
                    self.end(number)
                if number in (signal.SIGINT, signal.SIGCONT):
                    wakes = WAKES
            elif wakes:
                wakes -= 1
                signal.pthread_kill(main, signal.SIGURG)
            elif self.needs_terminal and not self.is_there():
                self.end(signal.SIGHUP)

    def is_there(self) -> bool:
        """Whether the terminal still exists."""
        try:
            termios.tcgetattr(self.terminal)
        except termios.error:
            return False
        return True

    def end(self, number: int, _: FrameType | None = None) -> None:
        """Remove unfinished files, restore the terminal, and end the process with the exit code of a signal."""
        if os.getpid() != self.process:  # this process is a forked child, which does not own the terminal
            os._exit(128 + number)
        if not self.has_begun.acquire(blocking=False):
            return
        code = 128 + number
        timer = threading.Timer(PATIENCE, os._exit, (code,))  # the main thread may be blocked by output to the terminal
        timer.daemon = True
        timer.start()
        remove_unfinished()
        with contextlib.suppress(Exception):
            self.restore()
        os._exit(code)

    def restore(self) -> None:
        """Restore the terminal and print a last message, unless the process has no terminal or is in the background."""
        if self.attributes is None or os.tcgetpgrp(self.terminal) != os.getpgrp():
            return
        silence = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):  # other threads can no longer write to the terminal
            if os.isatty(stream):
                os.dup2(silence, stream)
        termios.tcflush(self.terminal, termios.TCIFLUSH)
        termios.tcsetattr(self.terminal, termios.TCSANOW, self.attributes)
        words = self.last_words()
        text = (LEAVE_FULL_SCREEN if self.has_full_screen else "\r\n") + RESTORE + (f"{words}\n" if words else "")
        if os.environ.get("TERM", "dumb") != "dumb":
            os.write(self.terminal, text.encode())


_guard: Guard | None = None


def guard_process() -> None:
    """From now on, let SIGHUP, SIGTERM and SIGQUIT restore the terminal before they end the process."""
    global _guard
    if termios is None:
        return
    terminals = list[int]()
    for stream in (sys.stdin, sys.stderr, sys.stdout):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # the stream is closed or replaced
            if os.isatty(stream.fileno()):
                terminals.append(stream.fileno())
    _guard = Guard(terminals[0] if terminals else None)
    _guard.install()


@contextlib.contextmanager
def full_screen() -> Iterator[None]:
    """A context for full-screen programs, in which every signal restores the screen and ends the process."""
    if _guard is None:
        yield
        return
    before = signal.signal(signal.SIGINT, _guard.end)
    _guard.has_full_screen = _guard.needs_terminal = True
    try:
        yield
    finally:
        _guard.has_full_screen = _guard.needs_terminal = False
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def last_words(words: Callable[[], str]) -> Iterator[None]:
    """A context manager. If a signal ends the process inside the `with` statement, `words` is called, and the returned
    text is printed."""
    if _guard is None:
        yield
        return
    _guard.last_words, _guard.needs_terminal = words, sys.stdin is not None and sys.stdin.isatty()
    try:
        yield
    finally:
        _guard.last_words, _guard.needs_terminal = str, False
