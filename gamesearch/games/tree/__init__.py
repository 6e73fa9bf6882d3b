"""Trees typed in by hand. The rules are in `rules`."""

from gamesearch.games.tree.rules import Tree

__all__ = ["Tree"]
