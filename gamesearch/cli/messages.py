"""What is said beside the data: sentences on standard error."""

import contextlib
import os
import sys
import textwrap
from typing import TextIO

import click

__all__ = ["discard", "say", "shortened"]

LONGEST = 600
"""Of a longer sentence only so many characters are said, half of them its end: what is wrong in a large input stands
there, and not what the input was."""


def say(sentence: str) -> None:
    """Write a sentence to standard error; on a terminal, its lines end between words."""
    width = terminal_width()
    if width and len(sentence) > width:
        sentence = textwrap.fill(sentence, width, break_long_words=False, break_on_hyphens=False)
    click.echo(sentence, err=True)


def shortened(sentence: str) -> str:
    """A sentence without its middle, where it repeats a large input."""
    if len(sentence) <= LONGEST:
        return sentence
    half = LONGEST // 2
    return f"{sentence[:half]} [... {len(sentence) - 2 * half:,} characters ...] {sentence[-half:]}"


def discard(stream: TextIO) -> None:
    """Let what is still written to a closed pipe vanish, or Python complains of it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def terminal_width() -> int:
    """How many columns the terminal at standard error has; 0 where there is none, and nothing is wrapped."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # AttributeError: Python has none where it is closed
        return os.get_terminal_size(sys.stderr.fileno()).columns
    return 0
