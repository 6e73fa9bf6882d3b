"""Code that several games share: sets of cells, notation of boards, octal games, connection games, draughts."""
