"""Screens in the terminal, by Textual (an extra)."""
