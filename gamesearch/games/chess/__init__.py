"""Chess and its variants. The rules are in `rules`."""

from gamesearch.games.chess.rules import Chess

__all__ = ["Chess"]
