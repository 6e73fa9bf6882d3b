"""Building blocks of searches that keep a tree in memory: nodes, selection, expansion, playouts, and beliefs about
values."""
