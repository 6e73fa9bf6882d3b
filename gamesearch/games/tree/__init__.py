"""Trees typed in by hand. The rules are in `rules`."""
