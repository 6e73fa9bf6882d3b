"""Measurements that several commands use: perft, comparisons of algorithms and rules, test suites, checks."""
