"""The common parts of all searches: base classes of algorithms, limits, results, threads, and iterative deepening."""
