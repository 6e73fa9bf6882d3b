"""What the search algorithms are made of."""
