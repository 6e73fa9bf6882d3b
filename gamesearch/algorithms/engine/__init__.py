"""Runs searches: base classes, limits, results, threads, and iterative deepening."""
