"""Games of heaps and pits, without dice: the last move wins, or points are counted."""
