"""The one error that gamesearch raises on purpose."""

__all__ = ["GamesearchError", "Interrupted", "NotCompilable"]


class GamesearchError(ValueError):
    """Something asked for cannot be done; the message is one sentence that names the fix."""


class Interrupted(GamesearchError):  # noqa: N818
    """Work was stopped by Ctrl-C before there was an answer."""


class NotCompilable(GamesearchError):  # noqa: N818
    """The rules of a game are plain Python that Numba cannot compile; the message says why."""
