"""StarCraft's build orders. The rules are in `rules`."""

from gamesearch.games.buildorder.rules import BuildOrder

__all__ = ["BuildOrder"]
