"""The parts of a selective search, each in a file of its own with the page that it comes from."""
