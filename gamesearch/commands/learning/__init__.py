"""The commands of the group "Learn" in `gamesearch --help`."""
