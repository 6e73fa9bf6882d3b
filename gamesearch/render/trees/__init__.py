"""Pictures of searched trees: in the terminal, for files, and as a page that replays how a tree grew."""
