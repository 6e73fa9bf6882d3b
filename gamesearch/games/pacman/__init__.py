"""Pac-Man against ghosts. The rules are in `rules`."""

from gamesearch.games.pacman.rules import Pacman

__all__ = ["Pacman"]
