"""The parts of a selective search, each in its own file, which names the source in the literature."""
