"""Answers of parts below each other, as a function yields them."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec

from rich.console import Console, ConsoleOptions, RenderResult

__all__ = ["view"]

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class View:
    """Something to print whose parts are made when it is drawn."""

    parts: Callable[[], RenderResult]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part."""
        return self.parts()


def view(parts: Callable[Arguments, RenderResult]) -> Callable[Arguments, View]:
    """Make a function that yields parts into one that returns something to print."""

    @functools.wraps(parts)
    def drawn(*arguments: Arguments.args, **named: Arguments.kwargs) -> View:
        return View(functools.partial(parts, *arguments, **named))

    return drawn
