"""Clocks: the time that players have for a game."""

import re
from dataclasses import dataclass, replace

from gamesearch.errors import GamesearchError
from gamesearch.toolkit.bits import replace_item

__all__ = ["MOST_SECONDS", "Clock", "read_clock"]

UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}  # seconds in each unit of time
TIME = r"\s*(\d+\.?\d*|\.\d+)\s*(ms|s|m|h|)\s*"
MOST_SECONDS = 1e6

MOVES_TO_GO = 30  # the assumed number of moves that a player still has to make, if `moves_to_go` is None
RESERVE = 0.25  # seconds kept for delays: on a busy machine, a process may wait a tenth of a second
LONGEST = 4.0  # the longest time for a move, as a multiple of the result of `Clock.allowance`


@dataclass(frozen=True)
class Clock:
    """The time that each player has left, and the time that is added after each move."""

    remaining: tuple[float, ...]  # the seconds that each player has left
    increment: float = 0.0  # seconds added after each move
    moves_to_go: int | None = None  # the moves until more time is added; None if the time is for the whole game

    def allowance(self, player: int) -> float:
        """Return the seconds for a player's next move. They are most of the increment plus a share of the time left,
        but never more than the time left."""
        left, spare = self.remaining[player], self.spare(player)
        kept = min(1.0, max(0.0, left) / RESERVE)
        share = spare / (self.moves_to_go or MOVES_TO_GO) + 0.8 * self.increment * kept
        return max(0.001, min(share, max(spare, left / 2)))

    def longest(self, player: int) -> float:
        """Return the greatest number of seconds for a player's next move. It is usually greater than the allowance,
        because later moves can save time. If more time is added directly after this move, it equals the allowance."""
        share = self.allowance(player)
        return min(LONGEST * share, share + max(0.0, self.spare(player) - share) / 4)

    def spare(self, player: int) -> float:
        """Return the seconds that a player has left, minus the reserve for delays."""
        return max(0.0, self.remaining[player] - RESERVE)

    def after(self, player: int, seconds: float) -> "Clock":
        """The clock after a player has spent `seconds` on a move. If the player's time is negative, the player has lost
        on time."""
        left = self.remaining[player] - seconds
        left += self.increment if left >= 0 else 0.0
        return replace(self, remaining=replace_item(self.remaining, player, left))


def read_clock(text: str) -> tuple[float, float]:
    """Parse a text such as `5m+3s` or `10+0.1`. Returns the seconds for a game, and the seconds that each move adds.

    >>> read_clock("5m+3s"), read_clock("1+10ms"), read_clock("90")
    ((300.0, 3.0), (1.0, 0.01), (90.0, 0.0))
    """
    found = re.fullmatch(rf"{TIME}(?:\+{TIME})?", text)
    base, increment = (float(found[i] or 0) * UNITS[found[i + 1] or ""] if found else 0.0 for i in (1, 3))
    if not (0 < base < MOST_SECONDS and increment < MOST_SECONDS):
        raise GamesearchError(f"{text!r} is not a clock: write time per game and increment per move, such as 5m+3s")
    return base, increment
