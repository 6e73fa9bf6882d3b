"""Backgammon: men, dice and race. The rules are in `rules`."""
