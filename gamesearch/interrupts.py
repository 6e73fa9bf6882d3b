"""Ctrl-C is for the process that a person started, and not for those that it starts."""

import contextlib
import signal
from collections.abc import Iterator

__all__ = ["starting_processes"]


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Let processes that are started meanwhile never see Ctrl-C, not even while Python begins in them.

    They inherit that it is held back; here, it comes when they have been started, or before by another thread.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
