"""Tables on a terminal too narrow for them: several below each other, so that no column is squeezed or left out."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rich.console import Console, ConsoleOptions
from rich.table import Table

__all__ = ["fits", "tables_of"]

Column = TypeVar("Column")


def fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Whether there is room for a table as wide as it wants to be."""
    return console.measure(table, options=options.update(width=1000)).maximum <= options.max_width


def tables_of(
    columns: Sequence[Column],
    make: Callable[[Sequence[Column]], Table],
    console: Console,
    options: ConsoleOptions,
) -> Iterator[Table]:
    """Tables that `make` makes, each with as many of the columns as there is room for, but one at least."""
    while columns:
        counts = range(len(columns), 1, -1)
        count = next((each for each in counts if fits(make(columns[:each]), console, options)), 1)
        yield make(columns[:count])
        columns = columns[count:]
