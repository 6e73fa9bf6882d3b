"""The numbers of the players, in rules and searches."""

__all__ = ["CHANCE", "MAX", "MIN"]

MAX = 0
"""The player who wants a great value; also player 0 of a game for more than two."""
MIN = 1
"""The player who wants a small value."""
CHANCE = -1
"""Nobody's turn: dice, or an opponent taken to move at random."""
