"""Functions that write the elements of SVG, TikZ and DOT. Other modules combine the elements into pictures."""
