"""The errors that gamesearch raises on purpose: GamesearchError and its two subclasses."""

__all__ = ["GamesearchError", "Interrupted", "NotCompilable"]


class GamesearchError(ValueError):
    """What the caller wants cannot be done; the message is one sentence that names the fix."""


class Interrupted(GamesearchError):  # noqa: N818
    """Ctrl-C stopped the work before there was a result."""


class NotCompilable(GamesearchError):  # noqa: N818
    """Numba cannot compile the rules of a game; the message says why."""
