"""The games that come with gamesearch: one file or one package each, found by its name."""
