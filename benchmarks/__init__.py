"""Benchmarks that print the numbers in `benchmarks/results.md`. A benchmark that compares gamesearch with another
program measures both programs in the same run."""
