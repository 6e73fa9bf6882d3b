"""Methods that solve the graph of all positions that can be reached, in memory."""
