"""Databases: the values of all positions in some layers of a game, in files (K. Thompson 1986)."""
