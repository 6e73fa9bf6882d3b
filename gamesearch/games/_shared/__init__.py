"""What several games share: octal games, games of connection, draughts, flood fill, drawing of boards."""
