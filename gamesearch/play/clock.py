"""The time that players have for a game."""

from dataclasses import dataclass

__all__ = ["Clock"]

MOVES_TO_GO = 30
"""A game is taken to last so many more moves of each player, where nobody says how many."""
RESERVE = 0.1
"""Seconds that are kept for what comes between a search and the clock; with fewer, only increments are spent."""
LONGEST = 4.0
"""No move takes so many times its share."""


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
        """The seconds that a player should use for its next move: an equal share of what is left, and the increment.

        Never more than is left but for a reserve, and never less than a thousandth of a second.
        """
        left, spare = self.remaining[player], self.spare(player)
        kept = min(1.0, max(0.0, left) / RESERVE)
        share = spare / (self.moves_to_go or MOVES_TO_GO) + 0.8 * self.increment * kept
        return max(0.001, min(share, max(spare, left / 2)))

    def longest(self, player: int) -> float:
        """The seconds after which a player has to move, whatever it still finds: its share, and a part of the others.

        Where it is the last move before more time is added, its share is all there is.
        """
        share = self.allowance(player)
        return min(LONGEST * share, share + max(0.0, self.spare(player) - share) / 4)

    def spare(self, player: int) -> float:
        """The seconds that are left to a player without the reserve."""
        return max(0.0, self.remaining[player] - RESERVE)

    def after(self, player: int, seconds: float) -> "Clock":
        """The clock after a player used some seconds for a move; below zero where its flag fell."""
        left = list(self.remaining)
        left[player] -= seconds
        if left[player] >= 0:
            left[player] += self.increment
        return Clock(tuple(left), self.increment, self.moves_to_go)
