"""Othello. The rules are in `rules`."""

from gamesearch.games.othello.rules import Othello

__all__ = ["Othello"]
