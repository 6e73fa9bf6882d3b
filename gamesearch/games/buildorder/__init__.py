"""StarCraft's build orders. The rules are in `rules`."""
