"""The commands of the group "Analyze and solve" in `gamesearch --help`."""
