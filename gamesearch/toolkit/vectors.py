"""Operations on arrays that compile to SIMD instructions. Interpreted and compiled code give the same results.

The interpreted and the compiled form of an operation add 64-bit floats in the same order. The compiled forms are in
`gamesearch.compiler.array_operations`, because Numba would not vectorize these loops inside the rules of a game.
Without vectorization, networks would be about three times as slow.
"""

from typing import Any

import numpy as np

__all__ = ["LANES", "LOOKED_AT", "add_multiple", "holds_either", "product_of_rows", "squash"]

LANES = 8  # the number of partial sums that are computed in parallel and added at the end
LOOKED_AT = 16  # the number of elements that `holds_either` examines


def add_multiple(target: Any, start: int, source: Any, first: int, count: int, factor: float) -> None:
    """Multiply `count` elements of `source` by `factor`, and add the products to elements of `target`. The elements of
    `source` begin at index `first`, and the elements of `target` begin at index `start`."""
    check_rows(target, start, source, first, count)
    target[start : start + count] += factor * source[first : first + count]


def product_of_rows(row: Any, source: Any, first: int) -> float:
    """The dot product of a row and the elements of `source` that begin at index `first`."""
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
    """Replace each x of a row by x / sqrt(1 + x * x), which lies between -1 and 1."""
    row /= np.sqrt(1.0 + row * row)


def check_rows(target: Any, start: int, source: Any, first: int, count: int) -> None:
    """Raise IndexError if an operation on `count` elements would go beyond an end of `target` or `source`."""
    if min(start, first, count) < 0 or start + count > len(target) or first + count > len(source):
        raise IndexError("an array has too few numbers")


def holds_either(numbers: Any, start: int, even: int) -> bool:
    """Whether `even` or `even + 1` is among the LOOKED_AT elements that begin at index `start`. All these elements must
    exist."""
    return bool((numbers[start : start + LOOKED_AT] | 1 == even + 1).any())
