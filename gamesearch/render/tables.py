"""Tables without lines, as all commands print them."""

from rich.table import Table

__all__ = ["plain_table", "table_of_numbers"]


def plain_table(gap: int = 3) -> Table:
    """A table with blanks between its columns and nothing around it."""
    return Table(box=None, padding=(0, gap, 0, 0), header_style="dim", pad_edge=False)


def table_of_numbers(first: str, *rest: str, gap: int = 3) -> Table:
    """A table whose columns but the first are numbers."""
    table = plain_table(gap)
    table.add_column(first, no_wrap=True)
    for name in rest:
        table.add_column(name, justify="right", no_wrap=True)
    return table
