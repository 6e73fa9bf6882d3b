"""Games with people: typing commands, pointing at cells, and saving the game after every move."""
