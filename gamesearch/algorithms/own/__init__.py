"""Algorithms from a person's own files: what is in a file, how it is watched, and how it searches."""
