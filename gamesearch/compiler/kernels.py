"""The mark of functions that also run compiled."""

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["is_kernel", "kernel", "unattached_kernels"]

Function = TypeVar("Function", bound=Callable[..., Any])

unattached_kernels: list[Callable[..., Any]] = []
"""The marked kernels that have no compiled twin yet."""
_kernels: set[Callable[..., Any]] = set()


def kernel(function: Function) -> Function:
    """Mark a function as one that also runs compiled; the function itself is left as it is."""
    unattached_kernels.append(function)
    _kernels.add(function)
    return function


def is_kernel(function: Any) -> bool:
    """Whether a function is marked as a kernel."""
    return function in _kernels
