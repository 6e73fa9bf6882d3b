"""The games that come with gamesearch: one file each, found by its name."""
