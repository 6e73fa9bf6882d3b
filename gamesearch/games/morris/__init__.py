"""Nine men's morris and its smaller forms. The rules are in `rules`."""

from gamesearch.games.morris.rules import Morris

__all__ = ["Morris"]
