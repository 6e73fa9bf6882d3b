"""Playing games: players, other programs as players, games with people, and matches of many games.

These modules do not print or read input; `gamesearch.cli` and `gamesearch.tui` do.
"""
