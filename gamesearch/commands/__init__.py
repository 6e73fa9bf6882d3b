"""The commands of `gamesearch`. Each command is a module that parses its arguments, computes, and prints the result."""
