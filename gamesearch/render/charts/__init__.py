"""Charts, in the terminal and as SVG, that show how numbers depend on the depth, or on the number of games or
playouts."""
