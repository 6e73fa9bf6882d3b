"""Methods that solve, in memory, the graph of all positions that can be reached."""
