"""Tools for the rules of games: bitboards, arrays, pictures, known values, and games derived from other games."""
