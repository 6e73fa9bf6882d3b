"""Games that are given as trees, and planning as a game for one player."""
