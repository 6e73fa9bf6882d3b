"""Arrays that Python lends to compiled code."""

from typing import Any

__all__ = ["Borrowed", "can_fetch_early", "fetch_early"]


class Borrowed:
    """A one-dimensional array that Python holds while compiled code uses it.

    So compiled code need not count its references, which it else does wherever a kernel hands the array to another: a
    third of the time of a search with a table. And it hands on two words, where Numba's own arrays have seven: 0.82 of
    the time that is left. It has a length and elements, and no more; an index counts from 0, and nobody checks it. The
    compiled form is in `gamesearch.compiler.array_operations`.
    """

    __slots__ = ("address", "array", "length")

    def __init__(self, array: Any) -> None:
        self.array, self.address, self.length = array, array.ctypes.data, len(array)


def can_fetch_early() -> bool:
    """Whether `fetch_early` does anything: not interpreted."""
    return False


def fetch_early(array: Any, place: int) -> None:
    """Let the processor fetch an element of an array while it computes what comes before the element is read.

    It may be no element at all. Interpreted, there is nothing to do.
    """
