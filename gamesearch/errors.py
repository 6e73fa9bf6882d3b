"""The one error that gamesearch raises on purpose."""

__all__ = ["GamesearchError", "NotCompilable"]


class GamesearchError(ValueError):
    """Something asked for cannot be done; the message is one sentence that names the fix."""


class NotCompilable(GamesearchError):  # noqa: N818
    """The rules of a game are plain Python that Numba cannot compile; the message says why."""
