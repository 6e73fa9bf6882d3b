"""Lists of names, and what there is to know of one game or algorithm."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from gamesearch.render.tables import filled, pairs, text_column
from gamesearch.render.view import view

__all__ = ["Description", "Parameter", "description_view", "listing_view"]


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


@view
def listing_view(items: Sequence[tuple[str, str]], hint: str) -> RenderResult:
    """Names with their summaries, one a line; what else to type below."""
    yield pairs(items, "bold")
    yield Text()
    yield Text(hint, style="dim")


@view
def description_view(described: Description) -> RenderResult:
    """A description in full: each part that there is."""
    yield Text.assemble((described.name, "bold"), f": {described.summary}")
    if described.text:
        yield Text()
        yield Text(described.text)
    if described.facts:
        yield Text()
        yield pairs(described.facts)
    yield Text()
    yield Text("parameters" if described.parameters else "no parameters", style="dim")
    if described.parameters:
        yield indented(parameter_table(described.parameters))
    if described.picture is not None:
        yield Text()
        yield indented(described.picture)
    if described.examples:
        yield Text()
        yield Text("try", style="dim")
        yield from (indented(Text(example)) for example in described.examples)


def parameter_table(parameters: Sequence[Parameter]) -> Table:
    """Name, kind and default of each parameter; what it means and may be, where that is known."""
    remarks = [remark_on(each) for each in parameters]
    rows = [(each.name, each.kind, each.default, remark) for each, remark in zip(parameters, remarks, strict=True)]
    columns = [text_column(style="bold"), text_column(), Column(), *([Column()] if any(remarks) else [])]
    return filled(Table.grid(*columns, padding=(0, 2)), (row[: len(columns)] for row in rows))


def remark_on(parameter: Parameter) -> str:
    """What a parameter means, and the values that there are."""
    listed = ", ".join(parameter.choices)
    return f"{parameter.meaning} ({listed})" if parameter.meaning and listed else parameter.meaning or listed


def indented(renderable: RenderableType) -> Padding:
    """A renderable a little to the right."""
    return Padding(renderable, (0, 0, 0, 2), expand=False)
