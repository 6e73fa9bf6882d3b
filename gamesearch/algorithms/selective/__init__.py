"""The optional parts of `pvs`, such as quiescence search and null moves. Each file names its sources."""
