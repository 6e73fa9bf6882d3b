"""The files that keep compiled code from one process to the next.

Code has an identity: the kernel, the types of its arguments, the game, the machine, and the versions of everything
that made it. Its file is named by a hash of the identity and repeats the identity in full. A file is moved into place
whole, and used only if its checksum agrees, so processes need no lock: if two compile the same code at the same time,
one replaces the other's file by an equal one. A file that fails these tests is removed. No failure is an error,
because code can always be compiled again.

The files together may take `limit()` megabytes; the least recently used are removed first.
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
    "LIMIT_VARIABLE",
    "MEGABYTE",
    "KeptCode",
    "clear",
    "folder",
    "is_limit_readable",
    "kept_kernels",
    "limit",
    "prune",
    "read",
    "sort_by_use",
    "write",
]

LIMIT_VARIABLE = "GAMESEARCH_CACHE_MB"
"""The environment variable that sets the limit, in megabytes; 0 keeps nothing."""
DEFAULT_LIMIT = 512
MEGABYTE = 1 << 20
FINISHED, UNFINISHED, OLD = "[0-9a-f]" * 64 + ".code", "*.unfinished", "*/**/*.nb[ic]"
"""Patterns of file names; `OLD` matches files of earlier versions. No other file in the folder is touched."""
PARTS = 16
"""A process prunes again after it has written this part of the limit: a sixteenth."""
SECONDS_TO_FINISH = 3600.0
"""An unfinished file older than this is removed: its process must have been killed."""


@dataclass(frozen=True)
class KeptCode:
    """One file of compiled code."""

    path: Path
    game: str
    """The game that the code is for; empty if it is for all games, or if the file cannot be read."""
    bytes: int
    used: float
    """When a process last wrote or read it, in seconds since 1970."""


def folder() -> Path:
    """The folder of the files."""
    return Path(platformdirs.user_cache_dir("gamesearch")) / "compiled"


def limit() -> int:
    """The size limit of all files together, in megabytes."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    return int(text) if text.isdecimal() else DEFAULT_LIMIT


def is_limit_readable() -> bool:
    """Whether the environment variable is unset or a whole number."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    return not text or text.isdecimal()


kept_kernels: set[str] = set()
"""The names of the kernels whose code this process has compiled and written."""
_unpruned: list[int] = []
"""The sizes of the files that this process has written since it last pruned."""


# One file. ---------------------------------------------------------------------------------------
def read(identity: Mapping[str, str]) -> bytes | None:
    """The code with this identity; None if there is none."""
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
    """Write code to the file of its identity, if possible; returns whether it is there for the next process."""
    if limit() > 0:
        with suppress(OSError):
            _write(_path(identity), _header(identity) + code)
    _unpruned.append(len(code))
    if len(_unpruned) == 1 or sum(_unpruned) > limit() * MEGABYTE // PARTS:
        _unpruned[:] = [0]
        prune(limit() * MEGABYTE)
    return limit() > 0 and _path(identity).is_file()


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
    """The identity as one line, the second of a file."""
    return json.dumps(identity, sort_keys=True).encode() + b"\n"


def _checksum(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


# All files. --------------------------------------------------------------------------------------
def sort_by_use() -> list[KeptCode]:
    """Every file of compiled code, the least recently used first."""
    return [KeptCode(path, _game_in(path), of.st_size, of.st_mtime) for path, of in _files(FINISHED).items()]


def _game_in(path: Path) -> str:
    """The game that a file names; empty if it cannot be read: a damaged one is removed when it is next asked for."""
    with suppress(OSError, ValueError, TypeError, KeyError), path.open("rb") as file:
        file.readline()  # the checksum
        return str(json.loads(file.readline())["game"])
    return ""


def clear() -> tuple[int, int]:
    """Remove all files of compiled code, and nothing else; returns their number and their bytes."""
    removed = [_remove(path) for path in [*_files(FINISHED), *_files(UNFINISHED), *_files(OLD)]]
    sizes = [size for size in removed if size is not None]
    return len(sizes), sum(sizes)


def prune(most: int) -> None:
    """Remove the least recently used files until the rest take at most `most` bytes.

    Other processes may prune at the same time: a file that is gone already counts as removed.
    """
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
    """The files whose names fit a pattern, with size and time, the least recently used first."""
    found = {}
    with suppress(OSError):  # the folder cannot be read
        for path in folder().glob(pattern):
            with suppress(OSError):  # another process has just removed it
                if path.is_file():
                    found[path] = path.stat()
    return dict(sorted(found.items(), key=lambda each: each[1].st_mtime))


def _remove(path: Path) -> int | None:
    """Remove a file; returns its bytes, or None if it could not be removed."""
    try:
        size = path.stat().st_size
        path.unlink()
    except OSError:
        return None
    return size
