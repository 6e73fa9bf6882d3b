"""Measurements that several commands use: perft, comparisons of algorithms or of rules, test suites, and checks."""
