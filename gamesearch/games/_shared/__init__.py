"""Code that several games share: sets of cells, board notation, octal games, connection games, draughts."""
