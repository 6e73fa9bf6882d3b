"""The commands of the group "Engine protocols" in `gamesearch --help`."""
