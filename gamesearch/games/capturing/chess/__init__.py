"""Chess and its variants. The rules are in `rules`."""
