"""Read and write the files of the user: opening books, recorded games, locks, and fingerprints of game rules."""
