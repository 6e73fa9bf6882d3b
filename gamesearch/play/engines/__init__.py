"""Other programs as players: by UCI, GTP, our own protocol, and the commands of GNU Backgammon.

`gamesearch.play.players.loading` imports these modules only when a player needs them.
"""
