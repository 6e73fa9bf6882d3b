"""Games in which players connect their pieces: lines of a given length, or sides of the board."""
