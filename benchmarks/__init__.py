"""The figures of `benchmarks/results.md`, each measured in one run together with its reference."""
