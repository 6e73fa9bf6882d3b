"""Go with area scoring. The rules are in `rules`."""
