"""Tools for writing rules: boards of bits, rows of numbers, pictures, player numbers, known answers, derived games."""
