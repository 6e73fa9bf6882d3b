"""Pictures of boards: lines of characters in the terminal, and SVG."""
