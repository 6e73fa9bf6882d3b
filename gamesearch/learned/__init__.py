"""Learned evaluations that games can use: weights of features, patterns and networks, and their files.

The folder `shipped` contains the learned weights that come with gamesearch. `gamesearch.learn` learns such weights.
"""
