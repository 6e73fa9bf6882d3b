"""Where answers and progress are printed: with colours and glyphs on a terminal that knows them, else plain."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click
from rich.console import Console, ConsoleOptions
from rich.segment import Segment

from gamesearch.support.escaping import json_text, terminal_text

__all__ = ["output_console", "print_found", "print_json", "print_line", "status_console"]


def output_console(only_ascii: bool = False) -> Console:
    """Where data goes. Not a terminal: no colours, no box characters, and wide enough for every line."""
    console = OutputConsole()
    if only_ascii or not can_draw(console):
        return AsciiConsole(width=None if console.is_terminal else WIDE)
    return console


WIDE = 10_000
"""The width of output that is not a terminal: no line is wrapped."""


class OutputConsole(Console):
    """A console that prints texts as they are: nothing in them is markup, an emoji code or a control character.

    It leaves it to us what happens when its reader goes.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, emoji=False, markup=False, **options)

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of something to print, with visible texts."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            is_visible = control or text.isprintable() or text == "\n"
            yield segment if is_visible else Segment(terminal_text(text), style)

    def on_broken_pipe(self) -> None:
        """Called by Rich while it handles a BrokenPipeError."""
        raise


class AsciiConsole(OutputConsole):
    """A console whose renderables see that it is for ASCII: Rich asks the encoding."""

    @property
    def encoding(self) -> str:
        """What renderables are told."""
        return "ascii"

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; not on a terminal, at once and without the blanks that Rich fills lines up with."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))
        self.file.flush()


def can_draw(console: Console) -> bool:
    """Whether box characters and glyphs may be used: on a terminal that knows them."""
    has_glyphs = console.encoding.lower().startswith("utf") and not asks_for_ascii()
    return console.is_terminal and not console.is_dumb_terminal and has_glyphs


def asks_for_ascii() -> bool:
    """Whether the locale is said to be C: Python then writes UTF-8 all the same, and sets LC_CTYPE to do so."""
    chosen = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG")
    if chosen == "C.UTF-8" and not os.environ.get("LC_ALL"):  # set by Python, if LANG says otherwise
        chosen = os.environ.get("LANG") or chosen
    return chosen in ("C", "POSIX")


def status_console() -> Console:
    """Where progress goes."""
    return OutputConsole(stderr=True)


def print_found(view: Any, data: Callable[[], Any], as_json: bool, only_ascii: bool = False) -> None:
    """Print what was found to standard output, drawn or as JSON."""
    if as_json:
        print_json(data())
    else:
        output_console(only_ascii).print(view)


def print_json(data: Any) -> None:
    """Write data as JSON to standard output."""
    sys.stdout.write(json_text(data, indent=2) + "\n")


def print_line(text: str) -> None:
    """Write a text to standard output, without wrapping it."""
    click.echo(terminal_text(text))
