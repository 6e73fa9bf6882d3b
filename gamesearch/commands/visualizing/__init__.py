"""The commands of the group "Visualize" in `gamesearch --help`."""
