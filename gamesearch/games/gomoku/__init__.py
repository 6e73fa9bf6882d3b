"""Five in a row, m,n,k-games and Pente. The rules are in `rules`."""

from gamesearch.games.gomoku.rules import Gomoku

__all__ = ["Gomoku"]
