"""The commands of the group "Build" in `gamesearch --help`."""
