"""The commands of the group "Play" in `gamesearch --help`."""
