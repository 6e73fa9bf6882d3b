"""Parameters that several algorithms have: their help texts and allowed values.

Each check function returns the value of a parameter if the value is allowed, and raises GamesearchError if it is not.
"""

import math
from collections.abc import Collection

from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.errors import GamesearchError

__all__ = [
    "DATABASE_HELP", "MOST_THREADS", "PATHS", "PATHS_HELP", "check_choice", "check_depth", "check_memory",
    "check_seconds", "check_seed", "check_threads",
]  # fmt: skip

PATHS = ("sound", "practical")
PATHS_HELP = (
    "for games with repetition: sound uses the transposition table only if the path to a position cannot matter; "
    "practical always uses the table, as chess engines do, so values may be wrong"
)
"""The help text of the parameter `paths`."""
MOST_THREADS = 256
DATABASE_HELP = "a folder with an endgame database (see gamesearch database); its positions are not searched"


def check_depth(depth: int | str) -> int | str:
    """Check a depth: a number of plies, `full`, or empty."""
    if depth in ("", "full"):
        return depth
    if isinstance(depth, str | float | bool) or not 1 <= depth <= MAX_PLY:
        raise GamesearchError(f"depth must be a whole number from 1 to {MAX_PLY} or the word full, not {depth!r}")
    return depth


def check_choice(name: str, value: str, choices: Collection[str]) -> str:
    """Check a parameter that must be one of several words."""
    if value not in choices:
        *others, last = choices
        words = f"{', '.join(others)} or {last}"
        raise GamesearchError(f"{name} must be {words}, not {value!r}")
    return value


def check_seed(seed: int | str) -> int | str:
    """Check the parameter `seed`, which must be a whole number or empty."""
    if isinstance(seed, str) and seed:
        raise GamesearchError(f"seed must be a whole number, not {seed!r}")
    return seed


def check_seconds(time: float) -> float:
    """Check a time parameter."""
    if not 0 <= time < math.inf:
        raise GamesearchError(f"time must be a number of seconds, or 0 for no limit, not {time}")
    return time


def check_memory(memory: int) -> int:
    """Check a number of megabytes."""
    if memory < 1:
        raise GamesearchError(f"memory must be at least 1 MB, not {memory}")
    return memory


def check_threads(threads: int) -> int:
    """Check a number of threads: it must not be greater than MOST_THREADS."""
    if not 1 <= threads <= MOST_THREADS:
        raise GamesearchError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads}")
    return threads
