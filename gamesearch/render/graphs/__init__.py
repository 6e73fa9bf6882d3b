"""Pictures of the graph of all positions of a small game."""
