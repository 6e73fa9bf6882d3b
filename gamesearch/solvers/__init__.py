"""Exact values of positions: methods that solve a whole game."""
