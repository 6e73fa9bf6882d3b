"""What all searches need: base classes of algorithms, limits, results, threads, and iterative deepening."""
