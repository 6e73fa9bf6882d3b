"""Tables without borders, and views: combinations of several Rich renderables. All commands print views."""

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from gamesearch.support.escaping import terminal_text

__all__ = [
    "add_rows", "code_view", "fits", "number_column", "pairs", "plain_table", "table_of_numbers", "tables_of",
    "text_column", "view",
]  # fmt: skip


# Views. -------------------------------------------------------------------------------------------
Arguments = ParamSpec("Arguments")


@dataclass(frozen=True)
class View:
    """A Rich renderable that consists of several renderables, which are created when the view is drawn."""

    parts: Callable[[], RenderResult]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        return self.parts()


def view(parts: Callable[Arguments, RenderResult]) -> Callable[Arguments, View]:
    """Decorator for a function that yields renderables: the decorated function returns them as a single View."""

    @functools.wraps(parts)
    def make_view(*arguments: Arguments.args, **named: Arguments.kwargs) -> View:
        return View(functools.partial(parts, *arguments, **named))

    return make_view


@view
def code_view(code: str) -> RenderResult:
    """Lines of code. If a line is wrapped, its parts have the same indentation."""
    for line in code.split("\n"):
        words = Text(line.lstrip(" "))
        yield Padding(words, (0, 0, 0, len(line) - len(words)), expand=False) if words else words


# Tables. ------------------------------------------------------------------------------------------
Rows = Iterable[Sequence[RenderableType]]


def plain_table(*columns: Column, rows: Rows = (), gap: int = 3) -> Table:
    """A table without borders; spaces separate its columns."""
    return add_rows(Table(*columns, box=None, padding=(0, gap, 0, 0), header_style="dim", pad_edge=False), rows)


def table_of_numbers(first: str, *rest: str, rows: Rows = (), gap: int = 3) -> Table:
    """A table with a column of text, followed by columns of numbers."""
    return plain_table(text_column(first), *map(number_column, rest), rows=rows, gap=gap)


def pairs(rows: Rows, style: str = "dim") -> Table:
    """A table of names and texts. The names have the given style, and the texts are wrapped."""
    return add_rows(Table.grid(text_column(style=style), Column(), padding=(0, 2)), rows)


def text_column(heading: str = "", style: str = "") -> Column:
    """A column of text without wrapping."""
    return Column(heading, no_wrap=True, style=style)


def number_column(heading: str, style: str = "") -> Column:
    """A column of numbers."""
    return Column(heading, justify="right", no_wrap=True, style=style)


def add_rows(table: Table, rows: Rows) -> Table:
    """Add rows to a table; cells are plain text without Rich markup."""
    for row in rows:
        table.add_row(*(Text(terminal_text(cell)) if isinstance(cell, str) else cell for cell in row))
    return table


# Tables on a narrow terminal. ---------------------------------------------------------------------
Item = TypeVar("Item")


def fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Whether a table fits without wrapping."""
    return console.measure(table, options=options.update(width=1000)).maximum <= options.max_width


def tables_of(
    columns: Sequence[Item], make: Callable[[Sequence[Item]], Table], console: Console, options: ConsoleOptions
) -> Iterator[Table]:
    """Split a wide table into parts, which `make` creates. Each part contains as many columns as fit on the console. A
    part has at least one column."""
    while columns:
        counts = range(len(columns), 1, -1)
        count = next((each for each in counts if fits(make(columns[:each]), console, options)), 1)
        yield make(columns[:count])
        columns = columns[count:]
