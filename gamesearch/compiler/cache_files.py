"""The files that store compiled code, so that later processes need not compile it again.

Compiled code is identified by the kernel, the types of its arguments, the game, the machine, and the versions of
Python, Numba and llvmlite. The name of a file is a hash of this identity, and the file contains the full identity. A
file is first written under another name and then renamed. A file whose checksum is wrong is removed. So processes need
no lock. If two processes compile the same code, the second process overwrites the file of the first process with the
same code. If reading or writing fails, no error is raised, because the code can be compiled again.

All files together may take `limit()` megabytes. The least recently used files are removed first.
"""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

__all__ = [
    "LIMIT_VARIABLE", "MEGABYTE", "CodeFile", "clear", "folder", "is_limit_readable", "kept_kernels", "limit", "prune",
    "read", "sort_by_use", "write",
]  # fmt: skip

LIMIT_VARIABLE = "GAMESEARCH_CACHE_MB"
"""The environment variable that sets the size limit in megabytes. If the limit is 0, the process neither reads nor
writes files of compiled code, and does not remove them."""
DEFAULT_LIMIT = 512
MEGABYTE = 1 << 20
FINISHED, UNFINISHED, OLD = "[0-9a-f]" * 64 + ".code", "*.unfinished", "*/**/*.nb[ic]"
"""Patterns of file names. Files that earlier versions of gamesearch wrote have names that match `OLD`. Files that match
no pattern are not changed."""
PARTS = 16
"""A process removes old files each time it has written 1/PARTS of the size limit."""
SECONDS_TO_FINISH = 3600.0
"""An unfinished file is removed when it is this many seconds old. The process that wrote it was probably killed."""


@dataclass(frozen=True)
class CodeFile:
    """One file of compiled code."""

    path: Path
    game: str
    """The name of the game for which the code was compiled; empty if the code works for all games, or if the file is
    unreadable."""
    bytes: int
    used: float
    """The time at which a process last wrote or read the file, in seconds since 1970."""


def folder() -> Path:
    """The folder that contains the files of compiled code."""
    return Path(platformdirs.user_cache_dir("gamesearch")) / "compiled"


def limit() -> int:
    """The size limit of all files together, in megabytes."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    return int(text) if text.isdecimal() else DEFAULT_LIMIT


def is_limit_readable() -> bool:
    """Whether the environment variable LIMIT_VARIABLE is unset, or is a whole number."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    return not text or text.isdecimal()


kept_kernels: set[str] = set()
"""The names of the kernels that this process compiled and wrote to files."""
_unpruned: list[int] = []
"""The sizes of the files that this process has written since it last removed old files."""


# One file. ---------------------------------------------------------------------------------------
def read(identity: Mapping[str, str]) -> bytes | None:
    """Read the stored code with this identity; None if no such code is stored."""
    if limit() == 0:
        return None
    path, header = _path(identity), _header(identity)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, _, checked = content.partition(b"\n")
    if checksum != _checksum(checked) or not checked.startswith(header):
        _remove(path)
        return None
    with suppress(OSError):  # the folder may be read-only
        os.utime(path)
    return checked[len(header) :]


def write(identity: Mapping[str, str], code: bytes) -> bool:
    """Write code to a file, which is named after the code's identity. Returns whether the file was written."""
    if limit() == 0:
        return False
    with suppress(OSError):
        _write(_path(identity), _header(identity) + code)
    _unpruned.append(len(code))
    if len(_unpruned) == 1 or sum(_unpruned) > limit() * MEGABYTE // PARTS:
        _unpruned[:] = [0]
        prune(limit() * MEGABYTE)
    return _path(identity).is_file()


def _write(path: Path, checked: bytes) -> None:
    """Write a temporary file in the same folder, then rename it in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(suffix=UNFINISHED.removeprefix("*"), dir=path.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(_checksum(checked) + b"\n" + checked)
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _path(identity: Mapping[str, str]) -> Path:
    return folder() / f"{hashlib.sha256(_header(identity)).hexdigest()}.code"


def _header(identity: Mapping[str, str]) -> bytes:
    """The identity as a line of text, which is the second line of each file."""
    return json.dumps(identity, sort_keys=True).encode() + b"\n"


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


# All files. --------------------------------------------------------------------------------------
def sort_by_use() -> list[CodeFile]:
    """All files of compiled code, from the least to the most recently used."""
    return [CodeFile(path, _game_in(path), of.st_size, of.st_mtime) for path, of in _files(FINISHED).items()]


def _game_in(path: Path) -> str:
    """The name of the game, as recorded in a file; empty if the file is damaged. `read` removes damaged files."""
    with suppress(OSError, ValueError, TypeError, KeyError), path.open("rb") as file:
        file.readline()  # the checksum
        return str(json.loads(file.readline())["game"])
    return ""


def clear() -> tuple[int, int]:
    """Remove all files of compiled code. Returns the number of removed files and their total size in bytes."""
    removed = [_remove(path) for path in [*_files(FINISHED), *_files(UNFINISHED), *_files(OLD)]]
    sizes = [size for size in removed if size is not None]
    return len(sizes), sum(sizes)


def prune(most: int) -> None:
    """Remove the least recently used files until the remaining files take at most `most` bytes. A file that another
    process removes at the same time counts as removed."""
    long_ago = time.time() - SECONDS_TO_FINISH
    for path in [*_files(OLD), *(path for path, of in _files(UNFINISHED).items() if of.st_mtime < long_ago)]:
        _remove(path)
    files = _files(FINISHED)
    total = sum(of.st_size for of in files.values())
    for path, of in files.items():
        if total <= most:
            break
        _remove(path)
        total -= of.st_size


def _files(pattern: str) -> dict[Path, os.stat_result]:
    """The files whose names match a pattern, each with its size and times. The least recently used file comes first."""
    found = {}
    with suppress(OSError):  # the folder cannot be read
        for path in folder().glob(pattern):
            with suppress(OSError):  # another process has just removed it
                if path.is_file():
                    found[path] = path.stat()
    return dict(sorted(found.items(), key=lambda each: each[1].st_mtime))


def _remove(path: Path) -> int | None:
    """Remove a file. Returns the file's size in bytes, or None if the file could not be removed."""
    try:
        size = path.stat().st_size
        path.unlink()
    except OSError:
        return None
    return size
