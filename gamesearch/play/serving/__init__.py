"""gamesearch as an engine: servers that read lines of UCI or GTP and write answers."""
