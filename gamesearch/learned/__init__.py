"""Learned evaluations as games use them: weights of features, patterns and networks, and their files.

The folder also contains the files that come with gamesearch. `gamesearch.learn` makes such files.
"""
