"""Players: the interface, searches, the computer with its levels, opening books, and loading a player by name."""
