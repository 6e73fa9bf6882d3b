"""Databases: files with the values of all positions of a layer, such as all with five pieces (K. Thompson 1986)."""
