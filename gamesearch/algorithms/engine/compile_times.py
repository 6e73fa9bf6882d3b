"""Compile times of kernels on this machine, which are stored in a small file to predict later compile times."""

import contextlib
import json
from pathlib import Path

from gamesearch.compiler import cache_files
from gamesearch.files.whole import whole_file

__all__ = ["expected_seconds", "note_seconds"]

SHORTEST = 1.0
"""The shortest compile time that is recorded, in seconds. Shorter compile times need no estimate."""


def path() -> Path:
    """The path of the file. The file is not in the folder of compiled code, so that clearing this folder does not
    remove the file."""
    return cache_files.folder().parent / "compile-times.json"


def read() -> dict[str, dict[str, float]]:
    """The compile times in seconds by game and kernel; empty if the file is missing or damaged."""
    with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
        found = json.loads(path().read_text())
        return {
            str(game): {str(kernel): float(seconds) for kernel, seconds in kernels.items()}
            for game, kernels in found.items()
        }
    return {}


def note_seconds(game: str, kernel: str, seconds: float) -> None:
    """Record the compile time of a kernel for a game, if the time is at least SHORTEST and compiled code is cached."""
    if seconds < SHORTEST or cache_files.limit() == 0:
        return
    with contextlib.suppress(OSError):
        known = read()
        known.setdefault(game, {})[kernel] = round(seconds, 1)
        path().parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path()) as file:
            file.write(json.dumps(known, indent=1, sort_keys=True).encode())


def expected_seconds(game: str, kernel: str) -> float | None:
    """The last compile time of a kernel for a game; None if it is unknown."""
    return read().get(game, {}).get(kernel)
