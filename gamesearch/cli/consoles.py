"""Rich consoles for results and progress, with colors and special characters only if the terminal supports them."""

import os
import sys
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from gamesearch.render.tables import code_view
from gamesearch.support.escaping import json_text, terminal_text

if TYPE_CHECKING:
    from rich.status import Status  # slow to import

__all__ = ["columns", "output_console", "print_code", "print_found", "print_json", "print_line", "status_console"]


def output_console(only_ascii: bool = False) -> Console:
    """Return the console for results. If the console is not a terminal, it has no colors, no boxes and no wrapped
    lines."""
    console = OutputConsole()
    if only_ascii or not can_draw(console):
        return AsciiConsole(width=None if console.is_terminal else columns.get())
    return console


columns: ContextVar[int] = ContextVar("columns", default=10_000)  # lines of pipes and files do not wrap


class OutputConsole(Console):
    """A console that makes control characters visible, and interprets neither markup nor emoji codes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, emoji=False, markup=False, **options)

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the pieces of text that draw a renderable. Control characters in these texts become visible
        characters."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            is_visible = control or text.isprintable() or text == "\n"
            yield segment if is_visible else Segment(terminal_text(text), style)

    def status(self, status: RenderableType, **options: Any) -> "Status":
        """Return a status line. Its spinner consists of characters that the terminal can show."""
        return super().status(status, **{"spinner": "dots" if can_draw(self) else "line", **options})

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError that Rich is handling."""
        raise


class AsciiConsole(OutputConsole):
    """A console that reports ASCII as its encoding, so that renderables draw with ASCII characters only."""

    @property
    def encoding(self) -> str:
        """The encoding that Rich objects see when they are rendered on this console."""
        return "ascii"

    def print(self, *objects: Any, **options: Any) -> None:
        """Print objects. Output that is not a terminal is written immediately, without Rich's trailing spaces."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))
        self.file.flush()


def can_draw(console: Console) -> bool:
    """Whether the terminal can show box characters and glyphs."""
    has_glyphs = console.encoding.lower().startswith("utf") and not asks_for_ascii()
    return console.is_terminal and not console.is_dumb_terminal and has_glyphs


def asks_for_ascii() -> bool:
    """Whether the user chose the C locale, which has only ASCII characters. Python itself uses UTF-8 in this locale."""
    chosen = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG")
    if chosen == "C.UTF-8" and not os.environ.get("LC_ALL"):  # Python may have set LC_CTYPE, so look at LANG
        chosen = os.environ.get("LANG") or chosen
    return chosen in ("C", "POSIX")


def status_console() -> Console:
    """Return the console for progress and messages; a notebook does not count as a terminal, because it cannot erase
    text. If standard error is replaced later, the console still writes to the old stream."""
    return OutputConsole(file=sys.stderr, stderr=True, force_terminal=False if "JPY_PARENT_PID" in os.environ else None)


def print_found(view: Any, data: Callable[[], Any], as_json: bool, only_ascii: bool = False) -> None:
    """Print a result to standard output, as a Rich renderable or as JSON."""
    if as_json:
        print_json(data())
    else:
        output_console(only_ascii).print(view)


def print_code(code: str, data: Callable[[], Any], as_json: bool) -> None:
    """Print code. If `as_json` is true, print the result of `data` as JSON instead. Long lines of code are wrapped only
    in lessons. Otherwise, the terminal wraps them."""
    if as_json:
        print_json(data())
    else:
        console = output_console()
        console.width = columns.get()
        console.print(code_view(code.rstrip()))


def print_json(data: Any) -> None:
    """Write data as JSON to standard output."""
    sys.stdout.write(json_text(data, indent=2) + "\n")


def print_line(text: str) -> None:
    """Write a text to standard output, without wrapping it."""
    click.echo(terminal_text(text))
