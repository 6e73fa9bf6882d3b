"""What threads of compiled code, which run without the interpreter's lock, change together: locks, and sums.

A lock is the first word of an array of 64-bit integers, lent as `Borrowed`: 1 while a thread has it. A thread that has
to wait asks again and again, so a lock is for work of a microsecond or so. The compiled forms are in
`gamesearch.compiler.array_operations`.
"""

from typing import Any

__all__ = ["acquire", "add_atomically", "release"]


def acquire(lock: Any) -> int:
    """Take a lock, as soon as no other thread has it; interpreted, where one thread runs alone, at once."""
    lock[0] = 1
    return 1


def release(lock: Any) -> int:
    """Give a lock back; what was written before is there for the thread that takes it next."""
    lock[0] = 0
    return 0


def add_atomically(numbers: Any, place: int, more: int) -> int:
    """Add to a whole number of an array, between nothing that other threads add; what it was before.

    No bounds are checked, and places count from the front.
    """
    before = int(numbers[place])
    numbers[place] = before + more
    return before
