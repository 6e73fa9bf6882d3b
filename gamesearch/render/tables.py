"""Tables without lines, as all commands print them."""

from collections.abc import Iterable, Sequence

from rich.table import Column, Table
from rich.text import Text

from gamesearch.support.escaping import terminal_text

__all__ = ["filled", "number_column", "pairs", "plain_table", "table_of_numbers", "text_column"]

Rows = Iterable[Sequence[str | Text]]


def plain_table(*columns: Column, rows: Rows = (), gap: int = 3) -> Table:
    """A table with blanks between its columns and nothing around it."""
    return filled(Table(*columns, box=None, padding=(0, gap, 0, 0), header_style="dim", pad_edge=False), rows)


def table_of_numbers(first: str, *rest: str, rows: Rows = (), gap: int = 3) -> Table:
    """A table whose columns but the first are numbers."""
    return plain_table(text_column(first), *map(number_column, rest), rows=rows, gap=gap)


def pairs(rows: Rows, style: str = "dim") -> Table:
    """Names in a style, with words that are wrapped beside them."""
    return filled(Table.grid(text_column(style=style), Column(), padding=(0, 2)), rows)


def text_column(heading: str = "", style: str = "") -> Column:
    """A column of words that stand in one line."""
    return Column(heading, no_wrap=True, style=style)


def number_column(heading: str, style: str = "") -> Column:
    """A column of numbers."""
    return Column(heading, justify="right", no_wrap=True, style=style)


def filled(table: Table, rows: Rows) -> Table:
    """A table with rows; what looks like the markup of Rich is text."""
    for row in rows:
        table.add_row(*(Text(terminal_text(cell)) if isinstance(cell, str) else cell for cell in row))
    return table
