"""Writers of SVG, TikZ and DOT: functions for the elements of each format, which other modules combine to pictures."""
