"""Charts of numbers against depth, games or playouts, in the terminal and as SVG."""
