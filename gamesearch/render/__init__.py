"""Shows results as boards, trees, graphs of positions and charts, in the terminal, in exported files and in HTML
pages."""
