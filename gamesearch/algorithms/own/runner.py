"""What a person's own code runs with: a thread that can be interrupted wherever it is."""

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.own.walk import StoppedError
from gamesearch.algorithms.parts.execution import Beside
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.game import Game

__all__ = ["OwnRunner"]

PATIENCE = 1.0
"""How many seconds after a stop the file's code is interrupted wherever it is."""


class OwnRunner(Runner):
    """What a person's own code runs with: always in a thread with a large stack, which can be interrupted."""

    def __init__(self, game: Game[Any], speed: str) -> None:
        super().__init__(game, "interpreted")
        self.asked, self.is_forced = speed, speed == "compiled"
        self.can_compile = compiler.speed_for(game, speed) == "compiled"
        self.thread: int | None = None
        """The thread in which the file's code runs, while it may be interrupted."""
        self.interrupting = threading.Lock()
        """Held while `thread` changes or is interrupted: it runs other code afterwards."""
        self.stopped_at = 0.0

    def execute(
        self, kernel: Callable[..., Any], arguments: Callable[[], tuple[Any, ...]], beside: Beside | None = None
    ) -> Any:
        """Run a function in a thread of its own."""
        return self.execute_in_thread(kernel, arguments, beside)

    def say_compiling(self, name: str) -> None:
        """Tell the user who waits that a function is compiled."""
        if self.monitor is not None:
            self.monitor.note(f"compiling {name}")

    def stop(self, reason: int) -> None:
        """Stop the search; if its code does not ask for that in time, by an exception in its thread."""
        now = time.monotonic()
        if not self.workspace.counted.read("stop"):
            self.stopped_at = now
        elif now - self.stopped_at > PATIENCE:
            self.stopped_at = now
            with self.interrupting:
                if self.thread is not None:
                    thread, error = ctypes.c_ulong(self.thread), ctypes.py_object(StoppedError)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
        super().stop(reason)
