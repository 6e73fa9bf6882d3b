"""Algorithms from users' files: read a file, search with its code, and observe code that cannot be woven."""
