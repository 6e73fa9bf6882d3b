"""Algorithms from users' files: reading a file, searching with it, and observing code that cannot be woven."""
