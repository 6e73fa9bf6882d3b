"""The mark of functions that also run compiled, and a digest of the files that their code is made of."""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["kernel", "kernels_digest", "unattached_kernels"]

PACKAGE = Path(__file__).parent.parent
ROOMS = ("algorithms", "compiler", "learn", "learned", "solvers", "study")
"""The folders with kernels, with what compiles them, or with what compiled rules call; the digest covers them and the
files at the top."""

Function = TypeVar("Function", bound=Callable[..., Any])

unattached_kernels: list[Callable[..., Any]] = []
"""The marked kernels that have no compiled twin yet."""


def kernel(function: Function) -> Function:
    """Mark a function as one that also runs compiled; the function itself is left as it is."""
    unattached_kernels.append(function)
    return function


@functools.cache
def kernels_digest() -> str:
    """A digest of all sources that may become part of compiled code, but for games, which have their own."""
    paths = sorted([*PACKAGE.glob("*.py"), *(each for room in ROOMS for each in (PACKAGE / room).rglob("*.py"))])
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]
