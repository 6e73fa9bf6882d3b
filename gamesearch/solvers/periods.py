"""The period of a sequence of Grundy numbers, and its proof."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["MOST_SIZES", "GrundyTable", "Period", "find_period", "tabulate"]

FIRST_SIZES = 64
MOST_SIZES = 1024  # the greatest number of Grundy numbers that are computed to find a period
SHOWN_SIZES = 100  # the number of Grundy numbers that are kept if no period is found


@dataclass(frozen=True)
class Period:
    """A period of a sequence. The sequence repeats itself every `length` places, beginning at index `begins`."""

    length: int
    begins: int


@dataclass(frozen=True)
class GrundyTable:
    """The Grundy numbers of the sizes 0, 1, 2, .... If a period was found, the table has enough numbers to prove it."""

    values: tuple[int, ...]
    period: Period | None

    @property
    def exceptions(self) -> tuple[int, ...]:
        """The sizes whose Grundy numbers do not follow the period. All of them are below the start of the period."""
        if self.period is None:
            return ()
        begins, length = self.period.begins, self.period.length
        return tuple(n for n in range(begins) if self.values[n] != self.values[begins + (n - begins) % length])


def find_period(values: Sequence[int], reach: int) -> Period | None:
    """Find the shortest period that follows from the Grundy numbers, and its earliest beginning. Returns None if no
    period follows from the numbers.

    `reach` is t, the greatest number of pins that a move takes. Guy and Smith (1956) prove: if G(n + p) = G(n) for n0
    <= n < 2 * n0 + p + t, then this is true for all n >= n0. For larger n, consider the longer of the two rows after a
    move. It has at least n0 + p pins, so its Grundy number stays the same if p pins are removed.

    >>> find_period([0, 1, 2, 3] * 3, 3)
    Period(length=4, begins=0)
    """
    for length in range(1, len(values) // 2 + 1):
        begins = len(values) - length
        while begins > 0 and values[begins - 1] == values[begins - 1 + length]:
            begins -= 1
        if len(values) >= values_needed(begins, length, reach):
            return Period(length, begins)
    return None


def values_needed(begins: int, length: int, reach: int) -> int:
    """The number of values, beginning with size 0, that are needed to prove a period."""
    return 2 * begins + 2 * length + reach


def tabulate(grundy: Callable[[int], int], reach: int) -> GrundyTable:
    """Compute Grundy numbers until they prove a period. If MOST_SIZES numbers do not prove a period, keep only the
    first SHOWN_SIZES numbers."""
    sizes = FIRST_SIZES
    while sizes <= MOST_SIZES:
        values = tuple(grundy(size) for size in range(sizes))
        period = find_period(values, reach)
        if period is not None:
            return GrundyTable(values[: values_needed(period.begins, period.length, reach)], period)
        sizes *= 2
    return GrundyTable(values[:SHOWN_SIZES], None)
