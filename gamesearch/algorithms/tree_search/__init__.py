"""Building blocks of searches that keep a tree: nodes, selection, expansion, playouts, beliefs."""
