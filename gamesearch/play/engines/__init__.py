"""Other programs as players: by UCI, by GTP, by a protocol of our own, and GNU Backgammon by its commands.

`gamesearch.play.players.loading` loads these modules only for players that are named; none of the programs is needed for
anything else.
"""
