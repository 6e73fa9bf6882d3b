"""Files that are written as a whole or not at all, whatever stops the writing: an error, Ctrl-C or a power cut."""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

__all__ = ["sync_folder", "whole_file"]


@contextlib.contextmanager
def whole_file(path: Path, check: Callable[[Path], object] = lambda _: None) -> Iterator[IO[bytes]]:
    """A file to write, which takes the place of what has its path when all of it is on the disk.

    It has another name until then, under which `check` may read it back. What is raised meanwhile leaves the old file
    as it was; OSError where nothing can be written.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        check(unfinished)
        unfinished.replace(path)
    finally:
        with contextlib.suppress(OSError):  # it has its name by now, or could not be made
            unfinished.unlink()


def sync_folder(folder: Path) -> None:
    """Have the names of new files on the disk, too; where the system opens folders."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
