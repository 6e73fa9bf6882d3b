"""Writers of SVG, TikZ and DOT, which draw nothing by themselves."""
