"""Locks between processes, so that two processes do not write the same file.

The library filelock would not replace this module: it has no lock on a file that is already open.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

fcntl: Any = None
with contextlib.suppress(ImportError):  # which is on POSIX alone: elsewhere nothing keeps two writers off one file
    import fcntl

__all__ = ["HeldError", "lock", "locked"]


class HeldError(Exception):
    """Another process has the lock."""


def lock(handle: int) -> None:
    """Lock an open file until it is closed, or the process ends however; raises HeldError where another one has it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise HeldError from None


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock by a file of its own, which is gone at the end.

    Raises HeldError where another process holds it, and OSError where the file cannot be made.
    """
    while True:
        with path.open("ab") as file:
            lock(file.fileno())
            if not is_at(file.fileno(), path):  # but removed by whoever held it, between opening and locking
                continue
            try:
                yield
            finally:
                with contextlib.suppress(OSError):  # elsewhere than on POSIX, what is open cannot be removed
                    path.unlink()
            return


def is_at(handle: int, path: Path) -> bool:
    """Whether an open file is what stands at a path."""
    try:
        return fcntl is None or os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False
