"""Recordings of searches, and everything that is derived from them: excerpts, sentences, questions."""
