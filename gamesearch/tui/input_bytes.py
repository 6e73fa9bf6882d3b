"""Bytes that Textual reads from the terminal: one that is not text must not end its thread."""

import codecs
import functools
from typing import Any

__all__ = ["replace_invalid_bytes"]


def replace_invalid_bytes() -> None:
    """Let Textual's driver decode invalid bytes as U+FFFD.

    Its input thread decodes strictly, and ends at the first invalid byte: after that, no key has any effect.
    """
    import textual.drivers.linux_driver as driver

    if hasattr(driver, "getincrementaldecoder"):
        setattr(driver, "getincrementaldecoder", tolerant_decoder)  # noqa: B010


def tolerant_decoder(encoding: str) -> Any:
    """A function that makes an incremental decoder of an encoding, which replaces invalid bytes."""
    return functools.partial(codecs.getincrementaldecoder(encoding), errors="replace")
