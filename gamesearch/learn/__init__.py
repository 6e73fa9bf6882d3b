"""Learning: weights of an evaluation from games that the program plays with itself."""
