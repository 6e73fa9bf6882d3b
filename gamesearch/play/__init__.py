"""Playing games: players, other programs as players, games with people, and matches of many games.

Nothing here prints or asks; `gamesearch.cli` and `gamesearch.tui` do.
"""
