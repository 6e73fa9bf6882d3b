"""The searched tree: each node with its window, its value, and what was pruned.

Read with the textbook: a node's line shows the move that led to it, whose turn it is, the window
[alpha, beta] on entering, and what came back: `=` a value, `<=` or `>=` a bound.

What is drawn is text alone, so that a search that was just watched and one that was saved look the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from rich.tree import Tree

from gamesearch.algorithms.parts.formatting import plural, probability_text, typeset

__all__ = ["KINDS", "SIGNS", "SearchTree", "TreeNode", "TreeView", "names_text", "tree_data"]

SIGNS = {"exact": "=", "upper": "<=", "lower": ">="}
KINDS = {
    "estimate": "estimate",
    "table": "from the table",
    "bounds": "from the game's bounds",
    "recurrence": "repetition: a draw",
    "stuck": "every move forbidden: a draw",
}
SIDE_STYLES = {"Max": "green", "chance": "cyan", "end": ""}
"""Colours that read on a light background and on a dark one; every other player is magenta."""
NAMED = 8
"""How many of the moves that were not searched are named."""


@dataclass(slots=True)
class TreeNode:
    """A node as it is drawn; all names, windows and values are text, in ASCII."""

    move: str | None
    """The move or outcome that led here; None at the root."""
    side: str
    """`Max`, `Min`, `chance`, `end`, or one of more players' names."""
    window: list[Any] | None
    window_shown: str
    value: Any
    shown: str
    bound: str
    kind: str
    """How the value was found (see `Node.kind`), or `unfinished`."""
    nodes: int
    """Nodes visited from here on down, itself included."""
    chance: float | None = None
    """The probability of the outcome that led here."""
    is_probe: bool = False
    is_cut: bool = False
    pruned: Sequence[str] = ()
    reason: str = ""
    """Why it was cut, as the end of a sentence, where that is known."""
    children: list["TreeNode"] = field(default_factory=list)
    """Those drawn, in their order."""
    visited: int = 0
    """How many children there are to draw; none where the tree is not drawn so deep."""
    number: int = 0
    """Which of its parent's visited children this is, from 0."""
    is_folded: bool = False
    """Whether its children are not drawn because it is as deep as the tree is drawn."""


@dataclass(frozen=True)
class SearchTree:
    """A searched tree, and of which of the searches from the root it is."""

    root: TreeNode | None
    depths: Sequence[int | None]
    """How deep each search for the value went; None for one to the end."""
    index: int
    """Which of them this is."""
    has_second: bool
    """Whether another search asked how soon the game is won."""
    names: Sequence[str]
    """The players."""
    plies: int
    width: int


class TreeView:
    """Draws a searched tree; says first what search it is, and at last what is left out."""

    def __init__(self, tree: SearchTree, only_ascii: bool = False) -> None:
        self.tree, self.only_ascii = tree, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the heading, the tree and the footing."""
        if self.only_ascii:
            options = options.copy()
            options.encoding = "ascii"  # which is what Rich's guides go by
        root = self.tree.root
        if root is None:
            yield Text("there is no tree: this algorithm visits no nodes")
            return
        drawing = Drawing(options.ascii_only)
        yield Text(heading(self.tree))
        yield from console.render(drawing.tree(root), options)
        yield Text(footing(self.tree, root), style="dim")
        if drawing.aged:
            yield Text(age_sentence(drawing.aged, self.tree.names), style="dim")


class Drawing:
    """How the nodes of one tree are written."""

    def __init__(self, only_ascii: bool) -> None:
        self.only_ascii = only_ascii
        self.aged = ""
        """The first value met that tells when the game is won."""

    def tree(self, root: TreeNode) -> Tree:
        """The tree from a node on."""
        drawn = Tree(self.label(root), guide_style="dim", highlight=False)
        self.add_children(drawn, root)
        return drawn

    def add_children(self, drawn: Tree, node: TreeNode) -> None:
        """Add the children that are drawn, and where some are not, how many."""
        due = 0
        hidden_nodes = node.nodes - 1 - sum(child.nodes for child in node.children)
        missing = node.visited - len(node.children)
        for child in node.children:
            if child.number > due:
                drawn.add(gap(child.number - due, missing, hidden_nodes))
            self.add_children(drawn.add(self.label(child)), child)
            due = child.number + 1
        if node.visited > due:
            drawn.add(gap(node.visited - due, missing, hidden_nodes))
        elif hidden_nodes and not missing and not node.is_folded:
            drawn.add(Text(f"... {plural(hidden_nodes, 'node')}, not recorded", style="dim"))

    def label(self, node: TreeNode) -> Text:
        """The line of a node."""
        text = Text()
        if node.move is not None:
            text.append(node.move, style="bold")
            if node.chance is not None:
                text.append(f" ({probability_text(node.chance)})", style="cyan")
            text.append("  ")
        text.append(node.side, style=SIDE_STYLES.get(node.side, "magenta"))
        if node.window_shown:
            text.append(" " + self.set(node.window_shown), style="dim")
        if node.kind == "unfinished":
            text.append("  not finished", style="yellow")
        else:
            text.append(f" {self.set(SIGNS[node.bound])} {self.set(node.shown)}", style="bold")
            self.aged = self.aged or (node.shown if " in " in node.shown else "")
        for remark, style in remarks(node):
            text.append(f"  {remark}", style=style)
        return text

    def set(self, text: str) -> str:
        """A value or a window as it is drawn."""
        return text if self.only_ascii else typeset(text)


def gap(count: int, missing: int, nodes: int) -> Text:
    """A line for children that were searched and are not drawn."""
    below = f", {plural(nodes, 'node')}" if count == missing else ""
    return Text(f"... {count:,} more searched{below}", style="dim")


def remarks(node: TreeNode) -> Iterator[tuple[str, str]]:
    """What else there is to say of a node, with its style."""
    noun = "outcome" if node.side == "chance" else "move"
    if node.kind in KINDS:
        yield KINDS[node.kind], "dim"
    reason = f", as {node.reason}" if node.reason else ""
    if node.is_probe:
        yield "probe: only its first move", "dim"
    elif node.pruned:
        yield f"cut: {plural(len(node.pruned), noun)} not searched ({names_text(node.pruned)}){reason}", "red"
    elif node.is_cut:
        yield f"cut at its last {noun}{reason}", "dim"
    if node.is_folded and node.nodes > 1:
        yield f"({plural(node.nodes - 1, 'node')} below)", "dim"


def names_text(names: Sequence[str]) -> str:
    """The first of several names."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def heading(tree: SearchTree) -> str:
    """What search the tree is of, and which others it is not."""
    depths, depth = tree.depths, tree.depths[tree.index]
    what = "the searched tree" if len(depths) == 1 else "iteration"
    how_deep = "to the end of the game" if depth is None else f"to depth {depth}"
    text = f"{what} {how_deep} (run interpreted, so that each node is seen)"
    if tree.index:
        # Null windows ask several times at each depth.
        word = "earlier search" if len(set(depths)) < len(depths) else "earlier iteration"
        text += f"; {plural(tree.index, word, 'earlier searches' if word == 'earlier search' else '')} not shown"
    if later := len(depths) - tree.index - 1:
        text += f"; {plural(later, 'later iteration')} not shown"
    if tree.has_second:
        text += "; the second search, for how soon, is not shown"
    return text


def footing(tree: SearchTree, root: TreeNode) -> str:
    """How much of the tree is left out."""
    drawn = drawn_nodes(root)
    if drawn == root.nodes:
        return f"all {plural(root.nodes, 'node')} drawn"
    return (
        f"{drawn:,} of {plural(root.nodes, 'node')} drawn, {root.nodes - drawn:,} left out "
        f"(--plies {tree.plies}, --width {tree.width})"
    )


def age_sentence(shown: str, names: Sequence[str]) -> str:
    """What a value such as `+1 in 5` means."""
    winner = names[0] if shown.startswith("+") else names[1]
    plies = int(shown.rpartition(" ")[2])
    return f"{shown}: a win for {winner}, {plural(plies, 'ply', 'plies')} from the root"


def drawn_nodes(node: TreeNode) -> int:
    """How many nodes of the tree are drawn."""
    return 1 + sum(drawn_nodes(child) for child in node.children)


def tree_data(node: TreeNode) -> dict[str, Any]:
    """The tree from a node on as JSON says it; an infinite end of a window is null."""
    data: dict[str, Any] = {
        "move": node.move,
        "side": node.side,
        "window": node.window or [None, None],
        "value": None if node.kind == "unfinished" else node.value,
        "bound": node.bound,
        "found": node.kind,
        "nodes": node.nodes,
        "pruned": list(node.pruned),
        "left_out": node.visited - len(node.children),
        "children": [tree_data(child) for child in node.children],
    }
    if node.chance is not None:
        data["probability"] = node.chance
    return data
