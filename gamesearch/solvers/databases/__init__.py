"""Databases: files with the values of all positions of a layer, for example all positions with five pieces (K. Thompson
1986)."""
