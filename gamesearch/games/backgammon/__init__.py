"""Backgammon: checkers, dice and race. The rules are in `rules`."""

from gamesearch.games.backgammon.rules import Backgammon

__all__ = ["Backgammon"]
