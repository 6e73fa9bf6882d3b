"""Measurements with several users: perft, comparisons of algorithms and rules, growth, test suites, marking."""
