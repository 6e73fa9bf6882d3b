"""Handle Ctrl-C: the signal does not reach worker processes. The main process kills its workers, and exits without
waiting for a running search."""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor  # slow to import

__all__ = ["SEARCH", "block_interrupts", "end_workers", "leave"]

SEARCH = "gamesearch search"
"""The name of a thread while it compiles or runs a kernel."""


@contextlib.contextmanager
def block_interrupts() -> Iterator[None]:
    """A context for starting processes: it blocks Ctrl-C, so that the new processes never receive it.

    New processes inherit the blocked signal. If this process has another thread, it receives Ctrl-C immediately.
    Otherwise, it receives Ctrl-C when the context ends. Python's resource tracker is started first, because its start
    unblocks Ctrl-C. This context does nothing on systems that cannot block signals.
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


def end_workers(pool: "ProcessPoolExecutor") -> None:
    """End the processes of a pool, even while they work."""
    for process in list((pool._processes or {}).values()):
        with contextlib.suppress(OSError, ValueError):  # the process has ended, or never started
            process.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def leave(code: int) -> NoReturn:
    """End the process. If compiled code is loaded or a search is running, skip the shutdown of the interpreter. The
    shutdown would free Numba's objects, which takes up to a second, and would wait for a running compilation."""
    is_searching = any(thread.name == SEARCH for thread in threading.enumerate())
    if not is_searching and "numba" not in sys.modules:
        sys.exit(code)
    if not is_searching:
        atexit._run_exitfuncs()  # call the functions that the interpreter calls at its end
    with contextlib.suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):  # a stream is None if it was closed
            stream.flush()
    os._exit(code)
