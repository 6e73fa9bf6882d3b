"""Pictures of results, in folders by idea: boards, trees, graphs of positions, charts, exports and HTML pages."""
