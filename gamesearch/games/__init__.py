"""The games that come with gamesearch: one module or package for each, found by its name."""
