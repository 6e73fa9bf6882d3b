"""The commands of the group "Measure" in `gamesearch --help`."""
