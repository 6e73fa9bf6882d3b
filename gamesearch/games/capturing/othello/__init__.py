"""Othello. The rules are in `rules`."""
