"""Players: what a player is, searches, the computer with its levels, books, and loading a player by its name."""
