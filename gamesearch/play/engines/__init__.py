"""Players that are separate programs. gamesearch talks to them by UCI, GTP, its own protocol, or the commands of GNU
Backgammon.

`gamesearch.play.players.loading` imports these modules only when a player needs them.
"""
