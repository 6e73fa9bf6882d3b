"""What was learned, as games use it: weights of features, patterns and networks, and the files they are kept in.

Beside the code are the files that come with gamesearch; `gamesearch.learn` makes such files.
"""
