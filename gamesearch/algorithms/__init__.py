"""Search: one file an algorithm, and what they share."""
