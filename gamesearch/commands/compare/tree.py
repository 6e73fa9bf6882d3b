"""The tree of several searches as it is drawn: a column for each of them, with a word for what it did."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import count_text
from gamesearch.render.tables import filled, number_column, text_column
from gamesearch.trace.comparison import ComparedNode, Mark

__all__ = ["ComparisonView", "comparison_data", "line_count"]

WORDS = {
    "visited": ("a number", "", "visited, with so many nodes from here on down"),
    "cut": ("cut", "red", "not searched, because of a cutoff"),
    "table": ("table", "cyan", "the transposition table had the answer"),
    "bounds": ("bounds", "cyan", "the game's own bounds had the answer"),
    "database": ("solved", "cyan", "a database had the answer"),
    "recurrence": ("repeats", "cyan", "the position stands on the path already"),
    "unfinished": ("stopped", "yellow", "the search ended below"),
    "unreached": ("-", "dim", "never reached, as the node above was not searched"),
}
"""For each kind of mark what stands in a column, its style, and what it means."""


class ComparisonView:
    """The tree with a column for each search, and what the words in the columns mean."""

    def __init__(self, root: ComparedNode, names: Sequence[str], depth: int, remark: str = "") -> None:
        self.root, self.names, self.depth, self.remark = root, names, depth, remark

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the heading, the table and the meanings."""
        yield Text(f"what each visited in a search to depth {self.depth}{self.remark}")
        drawn = list(lines(self.root, "", "", options.ascii_only))
        columns = [*map(number_column, self.names), text_column()]
        table = Table(*columns, box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
        blanks = [""] * len(self.names)
        yield filled(table, ((*(map(mark_text, marks) if marks else blanks), label) for label, marks in drawn))
        used = {mark.kind for _, marks in drawn for mark in marks}
        for kind, (word, _, explained) in WORDS.items():
            if kind in used:
                yield Text(f"{word}: {explained}", style="dim")


def lines(node: ComparedNode, first: str, rest: str, only_ascii: bool) -> Iterator[tuple[Text, Sequence[Mark]]]:
    """Each node's line of the tree with its marks; without any, a line that says how many are left out."""
    label = Text(first, style="dim", no_wrap=True)
    if node.move is not None:
        label.append(f"{node.move}  ", style="not dim bold")
    label.append(node.side, style="not dim")
    if node.value:
        label.append(f" = {node.value}", style="not dim bold")
    yield label, node.marks
    fork, last, down = ("|-- ", "`-- ", "|   ") if only_ascii else ("├── ", "└── ", "│   ")
    for number, child in enumerate(node.children, 1):
        is_last = number == len(node.children) and not node.left_out
        yield from lines(child, rest + (last if is_last else fork), rest + ("    " if is_last else down), only_ascii)
    if node.left_out:
        yield Text(f"{rest}{last}... {count_text(node.left_out)} more (--width)", style="dim", no_wrap=True), ()


def line_count(root: ComparedNode) -> int:
    """How many lines the tree takes."""
    return sum(1 for _ in lines(root, "", "", True))


def mark_text(mark: Mark) -> Text:
    """A mark as a word, or as the count of its nodes."""
    if mark.kind == "visited":
        return Text(count_text(mark.nodes))
    word, style, _ = WORDS[mark.kind]
    return Text(word, style=style)


def comparison_data(node: ComparedNode) -> dict[str, Any]:
    """The tree as JSON has it."""
    return {
        "move": node.move,
        "side": node.side,
        "value": node.value or None,
        "marks": [{"did": mark.kind, "nodes": mark.nodes} for mark in node.marks],
        "left_out": node.left_out,
        "children": [comparison_data(child) for child in node.children],
    }
