"""Learns the weights of an evaluation from games that the program plays against itself."""
