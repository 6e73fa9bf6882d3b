"""The commands: one file each, which parses the command line, computes and displays."""
