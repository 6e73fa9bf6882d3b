"""The parts of a selective search, such as quiescence search. Each part has a file, which names its sources."""
