"""The errors that gamesearch raises on purpose, and the texts of system errors."""

import errno
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path

__all__ = [
    "FaultsError", "GamesearchError", "IllegalMoveError", "Interrupted", "NotCompilable", "list_names", "refuse",
    "shorten", "system_reason", "write_error",
]  # fmt: skip

LONGEST = 600
SPARE = 20  # a shortened message keeps `LONGEST // 2 - SPARE` characters at each end

MOST_LISTED = 400  # the greatest length of a list of names in a message

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The numbers of the system errors for a full disk, an exceeded disk quota and a file that is too large."""


class GamesearchError(ValueError):
    """Raised if gamesearch cannot do what the user requests. The message is one sentence that suggests a fix. Messages
    of more than LONGEST characters are shortened."""

    def __str__(self) -> str:
        return shorten(super().__str__())


class FaultsError(GamesearchError):
    """Raised if a file has faults. The message has a line for each fault."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(map(shorten, self.faults))


class IllegalMoveError(GamesearchError):
    """Raised if an algorithm or a program chooses an illegal move."""


class Interrupted(GamesearchError):  # noqa: N818
    """Raised if Ctrl-C stops the work before there is a result."""


class NotCompilable(GamesearchError):  # noqa: N818
    """Raised if Numba cannot compile the rules of a game. The message gives the reason."""


def shorten(sentence: str) -> str:
    """Shorten a long error message by leaving out its middle. The end is kept, because it gives the reason."""
    if len(sentence) <= LONGEST:
        return sentence
    half = LONGEST // 2 - SPARE
    return f"{sentence[:half]} [... {len(sentence) - 2 * half:,} characters ...] {sentence[-half:]}"


def list_names(names: Iterable[str]) -> str:
    """Join names with commas. If there are many names, only the first ones are listed, with the number of the others.

    >>> list_names(["a", "b", "c"]), list_names(f"name{i:02}" for i in range(99))[-20:]
    ('a, b, c', 'name49 and 49 others')
    """
    given = list(names)
    ends = accumulate(len(name) + 2 for name in given)
    more = len(given) - max(1, sum(end <= MOST_LISTED for end in ends))
    return ", ".join(given) if more < 1 else f"{', '.join(given[:-more])} and {more} other{'s' if more > 1 else ''}"


def refuse(*reasons: tuple[bool, str]) -> None:
    """Raise GamesearchError with the first message whose condition is true.

    Python evaluates all conditions and messages before it calls this function. So all conditions and messages must be
    cheap. None of them may raise an exception, even if an earlier condition is true.
    """
    for holds, message in reasons:
        if holds:
            raise GamesearchError(message)


def system_reason(error: Exception) -> str:
    """The system's reason why a file could not be read or written, in lower case and without the file's name."""
    said = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return said[:1].lower() + said[1:]


def write_error(path: Path, error: OSError, safe: str = "") -> GamesearchError:
    """The error for a file that could not be written. If the command can be continued, `safe` is a clause about earlier
    results, such as "finished layers are safe"."""
    room = "make room, and " if error.errno in FULL else ""
    kept = f"; {safe}: {room}give the same command again to continue" if safe else ""
    return GamesearchError(f"{path} cannot be written: {system_reason(error)}{kept}")
