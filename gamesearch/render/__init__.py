"""Pictures of results: boards, trees, graphs of positions, charts, exports and HTML pages."""
