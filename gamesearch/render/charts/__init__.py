"""Charts of numbers by depth, number of games or number of playouts, in the terminal and as SVG."""
