"""A time limit for each call of a user's rules, so that an endless loop is reported with its line."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from gamesearch.errors import GamesearchError

__all__ = ["ANSWER_SECONDS", "limited_answers"]

ANSWER_SECONDS = 10.0
"""How many seconds one call of checked rules may take."""


@contextlib.contextmanager
def limited_answers(name: str) -> Iterator[Callable[[], None]]:
    """Raise GamesearchError if rules do not return within ANSWER_SECONDS; yields a function that restarts the clock.

    It works only in the main thread, and on systems with interval timers; elsewhere there is no time limit.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield lambda: None
        return

    def is_late(_: int, frame: FrameType | None) -> Any:
        place = f" ({Path(frame.f_code.co_filename).name}, line {frame.f_lineno})" if frame is not None else ""
        method = frame.f_code.co_name if frame is not None else "a method"
        raise GamesearchError(
            f"{method} of {name}{place} has not answered for {ANSWER_SECONDS:g} s: does its loop end?"
        )

    def answered() -> None:
        signal.setitimer(signal.ITIMER_REAL, ANSWER_SECONDS)

    before = signal.signal(signal.SIGALRM, is_late)
    answered()
    try:
        yield answered
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
