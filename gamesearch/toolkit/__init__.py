"""Tools for writing rules: bitboards, arrays, pictures, known answers, derived games."""
