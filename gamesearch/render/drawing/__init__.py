"""Boards drawn with characters: what each kind of board looks like, in few colours or many."""
