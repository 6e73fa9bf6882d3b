"""What is said beside the data: sentences on standard error."""

import contextlib
import os
import sys
import textwrap

import click

__all__ = ["say"]


def say(sentence: str) -> None:
    """Write a sentence to standard error; on a terminal, its lines end between words."""
    width = terminal_width()
    if width and len(sentence) > width:
        sentence = textwrap.fill(sentence, width, break_long_words=False, break_on_hyphens=False)
    with contextlib.suppress(BrokenPipeError):  # nobody listens
        click.echo(sentence, err=True)


def terminal_width() -> int:
    """How many columns the terminal at standard error has; 0 where there is none, and nothing is wrapped."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # AttributeError: Python has none where it is closed
        return os.get_terminal_size(sys.stderr.fileno()).columns
    return 0
