"""Loops over rows of numbers, several of them at once where the processor can, with the same answer at both speeds.

Sums are of 64-bit floats, and rounded alike; what is looked for are small whole numbers. The compiled forms are in
`gamesearch.compiler.array_operations`: Numba leaves such loops as they are where a game's rules call them, and a
network then takes three times as long.
"""

from typing import Any

import numpy as np

__all__ = ["LANES", "LOOKED_AT", "add_multiple", "holds_either", "product_of_rows", "squash"]

LANES = 8
"""So many sums are made side by side, and are added up at last."""
LOOKED_AT = 16
"""So many numbers are looked at together."""


def add_multiple(target: Any, start: int, source: Any, first: int, count: int, factor: float) -> None:
    """Add `factor` times `count` numbers of a source, from `first` on, to those of a target from `start` on."""
    check_rows(target, start, source, first, count)
    target[start : start + count] += factor * source[first : first + count]


def product_of_rows(row: Any, source: Any, first: int) -> float:
    """The sum of the products of a row with as many numbers of a source from `first` on."""
    count = len(row)
    check_rows(row, 0, source, first, count)
    products = row * source[first : first + count]
    sums = np.zeros(LANES)
    for begin in range(0, count - LANES + 1, LANES):
        sums += products[begin : begin + LANES]
    total = 0.0
    for each in (*sums, *products[count - count % LANES :]):
        total += float(each)
    return total


def squash(row: Any) -> None:
    """Bring each number x of a row between -1 and 1, as x / sqrt(1 + x * x)."""
    row /= np.sqrt(1.0 + row * row)


def check_rows(target: Any, start: int, source: Any, first: int, count: int) -> None:
    """Raise IndexError where an array has not so many numbers."""
    if min(start, first, count) < 0 or start + count > len(target) or first + count > len(source):
        raise IndexError("there are not so many numbers")


def holds_either(numbers: Any, start: int, even: int) -> bool:
    """Whether an even number, or the next one, is among LOOKED_AT numbers from a place on; no bounds are checked."""
    return bool((numbers[start : start + LOOKED_AT] | 1 == even + 1).any())
