"""Games of heaps and pits, without dice. The player who makes the last move wins, or points are counted."""
