"""Lists of names, and what there is to know of one game or algorithm."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

__all__ = ["Description", "DescriptionView", "ListingView", "Parameter"]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a specification, as it is written there."""

    name: str
    kind: str
    default: str
    meaning: str = ""
    choices: Sequence[str] = ()
    """The values that there are, where they can be listed."""


@dataclass(frozen=True)
class Description:
    """What there is to know of a game or an algorithm."""

    name: str
    summary: str
    text: str = ""
    """More than the summary says; paragraphs are apart by an empty line."""
    parameters: Sequence[Parameter] = ()
    facts: Sequence[tuple[str, str]] = ()
    picture: RenderableType | None = None
    examples: Sequence[str] = field(default=())
    """Command lines that work."""


class ListingView:
    """Names with their summaries, one a line; what else to type below."""

    def __init__(self, items: Sequence[tuple[str, str]], hint: str) -> None:
        self.items, self.hint = items, hint

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the list and the hint."""
        yield pairs(self.items, "bold")
        yield Text()
        yield Text(self.hint, style="dim")


class DescriptionView:
    """A description in full."""

    def __init__(self, description: Description) -> None:
        self.description = description

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part that there is."""
        described = self.description
        yield Text.assemble((described.name, "bold"), f": {described.summary}")
        if described.text:
            yield Text()
            yield Text(described.text)
        if described.facts:
            yield Text()
            yield pairs(described.facts, "dim")
        yield Text()
        if described.parameters:
            yield Text("parameters", style="dim")
            yield indented(parameter_table(described.parameters))
        else:
            yield Text("no parameters", style="dim")
        if described.picture is not None:
            yield Text()
            yield indented(described.picture)
        if described.examples:
            yield Text()
            yield Text("try", style="dim")
            for example in described.examples:
                yield indented(Text(example))


def pairs(items: Sequence[tuple[str, str]], style: str) -> Table:
    """Two columns, the second wrapped beside the first."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style=style)
    table.add_column()
    for left, right in items:
        table.add_row(Text(left), Text(right))
    return table


def parameter_table(parameters: Sequence[Parameter]) -> Table:
    """Name, kind and default of each parameter; what it means and may be, where that is known."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(no_wrap=True)
    remarks = [remark_on(each) for each in parameters]
    for _ in range(2 if any(remarks) else 1):
        table.add_column()
    for each, remark in zip(parameters, remarks, strict=True):
        table.add_row(*map(Text, (each.name, each.kind, each.default, remark)[: len(table.columns)]))
    return table


def remark_on(parameter: Parameter) -> str:
    """What a parameter means, and the values that there are."""
    listed = ", ".join(parameter.choices)
    return f"{parameter.meaning} ({listed})" if parameter.meaning and listed else parameter.meaning or listed


def indented(renderable: RenderableType) -> Padding:
    """A renderable a little to the right."""
    return Padding(renderable, (0, 0, 0, 2), expand=False)
