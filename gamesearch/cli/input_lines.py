"""Lines of standard input that need no terminal: what another program says, a position on each."""

import sys
from collections.abc import Iterator

from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError

__all__ = ["all_input", "line_of_input", "lines_of_input", "spoken_lines", "text_of"]

LARGEST = 1_000_000_000
"""No input is larger as a whole (characters)."""
LONGEST = 100_000_000
"""No line of input is longer (characters, or bytes)."""


def all_input(what: str) -> str:
    """All of standard input, which should be `what`; raises GamesearchError if it is too large or not text."""
    try:
        text = sys.stdin.read(LARGEST + 1) if sys.stdin is not None else ""
    except UnicodeDecodeError:
        raise GamesearchError(f"standard input is not {what}: it is not text") from None
    if len(text) > LARGEST:
        raise GamesearchError(f"standard input is not {what}: it has more than {LARGEST:,} characters")
    return text


def line_of_input() -> str:
    """The next line of standard input with its end; empty after the last one."""
    line = sys.stdin.readline(LONGEST + 1) if sys.stdin is not None else ""
    refuse_long(line)
    return line


def refuse_long(line: str | bytes) -> None:
    """Raise GamesearchError for a line that is too long."""
    if len(line) > LONGEST:
        raise GamesearchError(f"standard input has a line of more than {LONGEST:,} characters")


def spoken_lines(how: str) -> Iterator[str]:
    """The lines by which another program speaks to this one; somebody at a terminal is told how."""
    if sys.stdin is not None:
        if sys.stdin.isatty():
            say(how)
        yield from iter(line_of_input, "")


def lines_of_input() -> Iterator[tuple[int, bytes]]:
    """Each line of standard input that is not blank, with its number, as soon as it is there; one there has to be."""
    number, has_lines = 0, False
    while line := sys.stdin.buffer.readline(LONGEST + 1) if sys.stdin is not None else b"":
        refuse_long(line)
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
