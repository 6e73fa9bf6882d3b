"""Locks between processes, so that two processes do not write the same file.

The library filelock cannot replace this module, because it does not lock a file that is already open.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

fcntl: Any = None
with contextlib.suppress(ImportError):  # only POSIX has it; other systems get no locks
    import fcntl

__all__ = ["HeldError", "lock", "locked"]


class HeldError(Exception):
    """Another process holds the lock."""


def lock(handle: int) -> None:
    """Lock an open file until it is closed or the process ends; raises HeldError if another process holds the lock."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise HeldError from None


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock with a separate file, which is removed at the end.

    Raises HeldError if another process holds the lock, and OSError if the file cannot be created.
    """
    while True:
        with path.open("ab") as file:
            lock(file.fileno())
            if not is_at(file.fileno(), path):  # the previous holder removed it after we opened it
                continue
            try:
                yield
            finally:
                with contextlib.suppress(OSError):  # Windows cannot remove open files
                    path.unlink()
            return


def is_at(handle: int, path: Path) -> bool:
    """Whether an open file is the one at a path."""
    try:
        return fcntl is None or os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False
