"""The errors that gamesearch raises on purpose: GamesearchError and its two subclasses; and what the system says."""

import errno
from pathlib import Path

__all__ = [
    "GamesearchError",
    "Interrupted",
    "NotCompilable",
    "not_written",
    "refuse",
    "shortened",
    "system_reason",
]

LONGEST = 600
"""The size limit of a message in characters."""
SPARE = 20
"""Half of the room for the number of characters that are left out."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""A disk is full, or what somebody may use of it, or as much as a file may have."""


class GamesearchError(ValueError):
    """The caller's request cannot be fulfilled; the message is one sentence that names the fix.

    The message of an error that repeats a large input is shortened.
    """

    def __str__(self) -> str:
        return shortened(super().__str__())


class Interrupted(GamesearchError):  # noqa: N818
    """Ctrl-C stopped the work before there was a result."""


class NotCompilable(GamesearchError):  # noqa: N818
    """Numba cannot compile the rules of a game; the message says why."""


def shortened(sentence: str) -> str:
    """A sentence without its middle if it repeats a large input: what is wrong with that is at its end."""
    if len(sentence) <= LONGEST:
        return sentence
    half = LONGEST // 2 - SPARE
    return f"{sentence[:half]} [... {len(sentence) - 2 * half:,} characters ...] {sentence[-half:]}"


def refuse(*reasons: tuple[bool, str]) -> None:
    """Raise GamesearchError with the first of some messages whose condition holds.

    All rows are evaluated first: each condition and message costs little, and is right whatever the others say.
    """
    for holds, message in reasons:
        if holds:
            raise GamesearchError(message)


def system_reason(error: Exception) -> str:
    """Why a file could not be read or written, as the system says it, in small letters and without the file's name."""
    said = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return said[:1].lower() + said[1:]


def not_written(path: Path, error: OSError, safe: str = "") -> GamesearchError:
    """The error for a file that could not be written; `safe` is what was kept before, for the same command to go on."""
    room = "make room, and " if error.errno in FULL else ""
    kept = f"; {safe}: {room}give the same command again to go on" if safe else ""
    return GamesearchError(f"{path} cannot be written: {system_reason(error)}{kept}")
