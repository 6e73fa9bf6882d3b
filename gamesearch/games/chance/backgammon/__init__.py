"""Backgammon: checkers, dice and race. The rules are in `rules`."""
