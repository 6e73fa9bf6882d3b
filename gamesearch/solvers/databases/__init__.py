"""Databases: files with the values of all positions in some layers of a game (K. Thompson 1986)."""
