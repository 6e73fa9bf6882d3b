"""Renderables: what is drawn with Rich. Nothing here prints, and nothing here searches."""
