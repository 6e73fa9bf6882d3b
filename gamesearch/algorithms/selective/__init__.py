"""The parts of a selective search. Each has its own file, which names its source."""
