"""Lines of standard input that need no terminal: what another program says, a position on each."""

import sys
from collections.abc import Iterator

from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError

__all__ = ["lines_of_input", "spoken_lines", "text_of"]


def spoken_lines(how: str) -> Iterator[str]:
    """The lines by which another program speaks to this one; somebody at a terminal is told how."""
    if sys.stdin is not None:
        if sys.stdin.isatty():
            say(how)
        yield from iter(sys.stdin.readline, "")


def lines_of_input() -> Iterator[tuple[int, bytes]]:
    """Each line of standard input that is not blank, with its number, as soon as it is there; one there has to be."""
    number, has_lines = 0, False
    while line := sys.stdin.buffer.readline() if sys.stdin is not None else b"":
        number += 1
        if line.strip():
            has_lines = True
            yield number, line
    if not has_lines:
        raise GamesearchError("standard input is empty: it should hold a position on each line")


def text_of(line: bytes) -> str:
    """A line as text."""
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise GamesearchError("this is not text") from None
