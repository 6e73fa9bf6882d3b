"""What is measured and explained: counts of moves, comparisons of algorithms, growth, reasons."""
