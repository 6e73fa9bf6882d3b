"""Tools for writing rules: boards of bits, rows of numbers, pictures of boards, player numbers, known answers."""
