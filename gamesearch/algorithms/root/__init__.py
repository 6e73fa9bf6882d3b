"""Searches of the root. They find its value, the values of all moves, or the best moves with their lines."""
