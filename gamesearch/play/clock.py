"""The time that players have for a game."""

import re
from dataclasses import dataclass, replace

from gamesearch.errors import GamesearchError
from gamesearch.toolkit.bits import replaced

__all__ = ["MOST_SECONDS", "Clock", "read_clock"]

UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
"""Seconds of what may stand behind a number."""
MOST_SECONDS = 1e6

MOVES_TO_GO = 30
"""A game is taken to last so many more moves of each player, where nobody says how many."""
RESERVE = 0.25
"""Seconds that are kept for what comes between a search and the clock; with fewer, only increments are spent.

On busy cores a process may wait a tenth of a second for its turn: with 0.1, 5 of 334 games of chess were lost on time.
"""
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
        left = self.remaining[player] - seconds
        left += self.increment if left >= 0 else 0.0
        return replace(self, remaining=replaced(self.remaining, player, left))


def read_clock(text: str) -> tuple[float, float]:
    """The seconds for a game and those that each move adds, of a text such as `5m+3s` or `10+0.1`.

    >>> read_clock("5m+3s"), read_clock("1+10ms"), read_clock("90")
    ((300.0, 3.0), (1.0, 0.01), (90.0, 0.0))
    """
    base, _, increment = text.strip().partition("+")
    seconds = [number * UNITS[unit] for number, unit in map(number_and_unit, (base, increment or "0"))]
    if not (0 < seconds[0] < MOST_SECONDS and 0 <= seconds[1] < MOST_SECONDS):
        raise GamesearchError(f"a clock is the time for a game and what each move adds, such as 5m+3s: not {text!r}")
    return seconds[0], seconds[1]


def number_and_unit(text: str) -> tuple[float, str]:
    """The two parts of a time; a negative number where it is none."""
    found = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*(ms|s|m|h|)\s*", text)
    return (float(found[1]), found[2]) if found else (-1.0, "")
