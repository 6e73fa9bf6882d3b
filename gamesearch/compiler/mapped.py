"""Arrays of whole numbers, one a layer, that kernels read at both speeds, such as files mapped into memory.

Interpreted, they are a list of NumPy arrays, or None where there is none. Compiled, they are words in one array: of
each, its address, its length and the bytes of a number. So how many there are, and how wide their numbers are, is no
part of the type, and needs no other machine code. The compiled forms are in `gamesearch.compiler.array_operations`.
"""

from collections.abc import Sequence
from typing import Any

from gamesearch.compiler.borrowed import Borrowed

__all__ = ["WORDS", "mapped", "mapped_at", "mapped_length"]

WORDS = 3
"""The words of an array: address, length, bytes of a number."""


def mapped(arrays: Sequence[Any], is_compiled: bool) -> Any:
    """The form of some arrays, or None, that kernels of one speed take; the caller keeps the arrays alive."""
    if not is_compiled:
        return list(arrays)
    import numpy as np

    words = np.zeros(WORDS * max(1, len(arrays)), np.int64)
    for place, array in enumerate(arrays):
        if array is not None:
            words[WORDS * place : WORDS * (place + 1)] = array.ctypes.data, len(array), array.itemsize
    return Borrowed(words)


def mapped_length(arrays: Any, place: int) -> int:
    """The length of one of the arrays; 0 where there is none."""
    if not 0 <= place < len(arrays) or arrays[place] is None:
        return 0
    return len(arrays[place])


def mapped_at(arrays: Any, place: int, number: int) -> int:
    """A number of one of the arrays, of 1, 2 or 8 bytes; those of 8 have a sign. Compiled, no bounds are checked."""
    return int(arrays[place][number])
