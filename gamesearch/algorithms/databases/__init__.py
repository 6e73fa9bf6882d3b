"""The files of endgame databases: codes of positions, packed into a few bits each."""
