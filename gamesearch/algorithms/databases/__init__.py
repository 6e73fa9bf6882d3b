"""Files of endgame databases, in which the value of each position is packed into a few bits."""
