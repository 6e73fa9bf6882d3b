"""Benchmarks that print the numbers in `benchmarks/results.md`. Each run also measures the reference of its numbers."""
