"""The time that players have for a game."""

from dataclasses import dataclass

__all__ = ["Clock"]

MOVES_TO_GO = 30
"""A game is taken to last so many more moves of each player, where nobody says how many."""
MARGIN = 0.05
"""Seconds that no search uses: for what comes between a search and the clock."""


@dataclass(frozen=True)
class Clock:
    """The time that is left to each player; their increments are equal."""

    remaining: tuple[float, ...]
    """Seconds left, by the number of the player."""
    increment: float = 0.0
    """Seconds added after each move."""
    moves_to_go: int | None = None
    """Moves until more time is added; None where it is for the whole game."""

    def allowance(self, player: int) -> float:
        """The seconds that a player may well use for its next move: an equal share of what is left, and the increment.

        Never more than is left but for a margin, and never less than a hundredth of a second.
        """
        left = self.remaining[player]
        share = left / (self.moves_to_go or MOVES_TO_GO) + 0.8 * self.increment
        return max(0.01, min(share, left - MARGIN))

    def after(self, player: int, seconds: float) -> "Clock":
        """The clock after a player used some seconds for a move; below zero where its flag fell."""
        left = list(self.remaining)
        left[player] -= seconds
        if left[player] >= 0:
            left[player] += self.increment
        return Clock(tuple(left), self.increment, self.moves_to_go)
