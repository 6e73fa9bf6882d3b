"""Tools for the rules of games: bitboards, arrays, pictures, known values, random games, and derived games."""
