"""Ctrl-C: it is for the process that a person started and not for those that it starts, and it ends that at once."""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import NoReturn

__all__ = ["SEARCH", "leave", "starting_processes"]

SEARCH = "gamesearch search"
"""The name of each thread that runs, or compiles, a kernel."""


@contextlib.contextmanager
def starting_processes() -> Iterator[None]:
    """Let processes that are started meanwhile never see Ctrl-C, not even while Python begins in them; where a system
    cannot hold signals back, such as Windows, they do.

    They inherit that it is held back; here, it comes when they have been started, or before by another thread.
    Python's tracker of resources is started first, for to start it lets Ctrl-C through again.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave(code: int) -> NoReturn:
    """End the process, without the interpreter's own end if compiled code is loaded or a search goes on.

    To take down what Numba has made takes up to a second, and a compilation cannot be stopped.
    """
    is_searching = any(thread.name == SEARCH for thread in threading.enumerate())
    if not is_searching and "numba" not in sys.modules:
        sys.exit(code)
    if not is_searching:
        atexit._run_exitfuncs()  # as the interpreter does at its end
    with contextlib.suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):  # None if it was closed
            stream.flush()
    os._exit(code)
