"""When a search that deepens has thought enough: sooner where its best move stays the same, later where it changes."""

__all__ = ["Pace"]

SHARES = (1.5, 1.0, 0.8, 0.65, 0.5)
"""After which share of its time no further depth is begun, where the best move has stayed the same for 0, 1, 2, 3, or
more depths. The next depth seldom takes less than all depths before it."""


class Pace:
    """Follows the best move of each depth; without a time to aim at, it never ends a search."""

    def __init__(self, target: float | None) -> None:
        self.target = target
        self.best: int | None = None
        self.unchanged = 0
        """For how many depths the best move has stayed the same."""

    def is_enough(self, best: int | None, seconds: float) -> bool:
        """Whether to keep the time that is left, after a depth that found this move, these seconds after the start."""
        self.unchanged = self.unchanged + 1 if best == self.best else 0
        self.best = best
        return self.target is not None and seconds >= self.target * SHARES[min(self.unchanged, len(SHARES) - 1)]
