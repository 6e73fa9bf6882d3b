"""Games in which players capture, surround or turn over the opponent's pieces."""
