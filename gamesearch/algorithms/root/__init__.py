"""Searches of the root: its value, the values of all moves, and the best moves with their lines."""
