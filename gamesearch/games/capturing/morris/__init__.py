"""Nine men's morris and its smaller forms. The rules are in `rules`."""
