"""Files of endgame databases: encoded positions, packed into a few bits each."""
