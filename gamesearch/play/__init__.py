"""A match: who plays, what was played, what a typed line means, and files of games.

Nothing here prints or asks: `gamesearch.commands.play` does, and a program may.
"""
