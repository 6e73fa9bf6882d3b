"""Pac-Man against ghosts. The rules are in `rules`."""
