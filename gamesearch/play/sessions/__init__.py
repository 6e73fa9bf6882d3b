"""Games with people: the commands that they type, the cells that they point at, and saving after every move."""
