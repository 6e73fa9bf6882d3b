"""Exact answers: every position that can be reached is valued, each once."""
