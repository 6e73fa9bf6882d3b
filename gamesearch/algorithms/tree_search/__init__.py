"""Searches that keep their tree: its nodes, selection, expansion, playouts, and beliefs about values."""
