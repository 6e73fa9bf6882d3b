"""Five in a row, m,n,k-games and Pente. The rules are in `rules`."""
