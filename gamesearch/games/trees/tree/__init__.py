"""Trees that the user types. The rules are in `rules`."""
