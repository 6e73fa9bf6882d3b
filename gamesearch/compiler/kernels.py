"""The decorator `kernel`, and operations on arrays. The operations work in interpreted and in compiled code.

The compiled forms of the operations are in `gamesearch.compiler.array_operations`.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = [
    "WORDS", "BorrowedArray", "acquire", "add_atomically", "can_fetch_early", "fetch_early", "is_kernel", "kernel",
    "load_state", "map_arrays", "mapped_at", "mapped_length", "release", "save_state", "unattached_kernels",
]  # fmt: skip

Function = TypeVar("Function", bound=Callable[..., Any])

unattached_kernels: list[Callable[..., Any]] = []
"""The kernels that have no compiled twin yet."""
_kernels: set[Callable[..., Any]] = set()


def kernel(function: Function) -> Function:
    """Mark a function as a kernel, so that it can also be compiled. The function itself is not changed."""
    unattached_kernels.append(function)
    _kernels.add(function)
    return function


def is_kernel(function: Any) -> bool:
    """Whether a function is marked as a kernel."""
    return function in _kernels


class BorrowedArray:
    """A one-dimensional array that Python code keeps alive while compiled code uses it.

    Numba passes seven words for an array, and counts the references to the array. For a borrowed array, compiled code
    passes only two words and counts no references. Compiled code can read the length, and read and write elements.
    Indices count from 0 and are not checked.
    """

    __slots__ = ("address", "array", "length")

    def __init__(self, array: Any) -> None:
        self.array, self.address, self.length = array, array.ctypes.data, len(array)


def can_fetch_early() -> bool:
    """Whether `fetch_early` has an effect. It has an effect only in compiled code."""
    return False


def fetch_early(array: Any, place: int) -> None:
    """Prefetch an element of an array into the processor's cache. Only compiled code does this. The index may be out of
    bounds."""


# `gamesearch.compiler.new_rows` makes storage for states: a list, or an array with a row of integers for each state.
def save_state(rows: Any, number: int, state: Any) -> None:
    """Store a state in row `number`."""
    rows[number] = state


def load_state(rows: Any, number: int, like: Any) -> Any:  # compiled code uses `like`
    """Read the state in row `number`. `like` is any state of the same game; compiled code needs its type."""
    return rows[number]


WORDS = 3
"""Three words describe an array: its address, its length, and the number of bytes of an element."""


# Mapped arrays are arrays of integers in files that are mapped into memory, such as the files of a database.
# Interpreted code gets a list of NumPy arrays, with None for a missing array. Compiled code gets three words for each
# array. The number of arrays and the width of their elements are not part of the type, so the machine code works for
# any mapped arrays.
def map_arrays(arrays: Sequence[Any], is_compiled: bool) -> Any:
    """Convert arrays to the form that interpreted or compiled kernels expect. The caller must keep the arrays alive."""
    if not is_compiled:
        return list(arrays)
    import numpy as np

    words = np.zeros(WORDS * max(1, len(arrays)), np.int64)
    for place, array in enumerate(arrays):
        if array is not None:
            words[WORDS * place : WORDS * (place + 1)] = array.ctypes.data, len(array), array.itemsize
    return BorrowedArray(words)


def mapped_length(arrays: Any, place: int) -> int:
    """The length of the array at index `place`; 0 if this array is missing."""
    if not 0 <= place < len(arrays) or arrays[place] is None:
        return 0
    return len(arrays[place])


def mapped_at(arrays: Any, place: int, number: int) -> int:
    """An element of an array. Elements of 8 bytes are signed; shorter elements are unsigned. Bounds are not checked."""
    return int(arrays[place][number])


# Locks and sums that threads of compiled code share. A lock is the first word of a borrowed array of 64-bit integers;
# the word is 1 while a thread holds the lock. Waiting threads spin, so a lock should be held for a microsecond at most.
def acquire(lock: Any) -> int:
    """Wait until a lock is free, and acquire it. Interpreted code never waits, because it runs in one thread."""
    lock[0] = 1
    return 1


def release(lock: Any) -> int:
    """Release a lock. The next thread that acquires it can read everything that this thread wrote before."""
    lock[0] = 0
    return 0


def add_atomically(numbers: Any, place: int, more: int) -> int:
    """Add `more` to an integer of an array in one atomic operation. Returns the earlier value. Indices count from 0 and
    are not checked."""
    before = int(numbers[place])
    numbers[place] = before + more
    return before
