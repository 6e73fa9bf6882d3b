"""Go with area scoring. The rules are in `rules`."""

from gamesearch.games.go.rules import Go

__all__ = ["Go"]
