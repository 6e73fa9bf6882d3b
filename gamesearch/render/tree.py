"""The searched tree: each node with its window, its value, and what was pruned.

Read with the textbook: a node's line shows the move that led to it, whose turn it is, the window
[alpha, beta] on entering, and what came back: `=` a value, `<=` or `>=` a bound.
"""

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from rich.tree import Tree

from gamesearch.algorithms.trace import Node, Pass, Trace
from gamesearch.algorithms.workspace import FULL_DEPTH
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.render.numbers import aged_text, data_number, plural, probability_text, value_text, window_text

__all__ = ["TreeView", "tree_data"]

SIGNS = {"exact": "=", "upper": "≤", "lower": "≥"}
ASCII_SIGNS = {"exact": "=", "upper": "<=", "lower": ">="}
KINDS = {
    "estimate": "estimate",
    "table": "from the table",
    "bounds": "from the game's bounds",
    "recurrence": "repetition: a draw",
}
SIDE_STYLES = {MAX: "green", CHANCE: "cyan"}
"""Colours that read on a light background and on a dark one; every other player is magenta."""
NAMED = 8
"""How many of the moves that were not searched are named."""


class TreeView:
    """Draws what a trace wrote down; says first what search it is, and at last what is left out."""

    def __init__(self, game: Game[Any], trace: Trace, only_ascii: bool = False) -> None:
        self.game, self.trace, self.only_ascii = game, trace, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the heading, the tree and the footing."""
        if self.only_ascii:
            options = options.copy()
            options.encoding = "ascii"  # which is what Rich's guides go by
        drawing = Drawing(self.game, self.trace.plies, options.ascii_only)
        shown = self.trace.shown
        if shown is None or shown.root is None:
            yield Text("there is no tree: this algorithm visits no nodes")
            return
        yield Text(heading(self.trace, shown))
        yield from console.render(drawing.tree(shown.root), options)
        yield Text(footing(shown, self.trace, drawn_nodes(shown.root)), style="dim")
        if drawing.told_plies:
            won = value_text(float(self.game.MAXSCORE), signed=True)
            yield Text(f"{won} in 5: a win for {self.game.names[MAX]}, 5 plies from the root", style="dim")


class Drawing:
    """How the nodes of one tree are written."""

    def __init__(self, game: Game[Any], plies: int, only_ascii: bool) -> None:
        self.game, self.plies, self.only_ascii = game, plies, only_ascii
        self.told_plies = False

    def tree(self, root: Node) -> Tree:
        """The tree from a node on."""
        drawn = Tree(self.label(root, None), guide_style="dim", highlight=False)
        self.add_children(drawn, root)
        return drawn

    def add_children(self, drawn: Tree, node: Node) -> None:
        """Add the children that were kept, and where some were not, how many."""
        due = 0
        left_out_nodes = node.nodes - 1 - sum(child.nodes for child in node.children)
        missing = node.visited - len(node.children)
        for child in node.children:
            if child.number > due:
                drawn.add(self.gap(child.number - due, missing, left_out_nodes))
            self.add_children(drawn.add(self.label(child, node)), child)
            due = child.number + 1
        if node.visited > due:
            drawn.add(self.gap(node.visited - due, missing, left_out_nodes))

    def gap(self, count: int, missing: int, nodes: int) -> Text:
        """A line for children that were searched and are not drawn."""
        below = f", {plural(nodes, 'node')}" if count == missing else ""
        return Text(f"... {count:,} more searched{below}", style="dim")

    def label(self, node: Node, parent: Node | None) -> Text:
        """The line of a node."""
        text = Text()
        if parent is not None and node.move is not None:
            text.append(self.game.move_name(parent.state, node.move), style="bold")
            if node.probability is not None:
                text.append(f" ({probability_text(node.probability)})", style="cyan")
            text.append("  ")
        text.append(self.side(node), style="" if node.side is None else SIDE_STYLES.get(node.side, "magenta"))
        if node.alpha is not None and node.beta is not None:
            text.append(" " + window_text(self.game, node.alpha, node.beta, only_ascii=self.only_ascii), style="dim")
        if node.is_unfinished:
            text.append("  not finished", style="yellow")
        else:
            sign = (ASCII_SIGNS if self.only_ascii else SIGNS)[node.bound]
            text.append(f" {sign} {self.value(node)}", style="bold")
        for remark, style in self.remarks(node):
            text.append(f"  {remark}", style=style)
        return text

    def side(self, node: Node) -> str:
        """Whose turn it is."""
        if node.side is None:
            return "end"
        if node.side == CHANCE:
            return "chance"
        return ("Max", "Min")[node.side] if self.game.players == 2 else self.game.names[node.side]

    def value(self, node: Node) -> str:
        """The value that came back."""
        if isinstance(node.value, tuple):
            return value_text(node.value, only_ascii=self.only_ascii)
        text = aged_text(self.game, node.value, only_ascii=self.only_ascii)
        self.told_plies |= " in " in text
        return text

    def remarks(self, node: Node) -> Iterator[tuple[str, str]]:
        """What else there is to say of a node, with its style."""
        if node.kind in KINDS:
            yield KINDS[node.kind], "dim"
        if node.is_probe:
            yield "probe: only its first move", "dim"
        elif node.pruned:
            outcomes = "outcome" if node.side == CHANCE else "move"
            yield f"cut: {plural(len(node.pruned), outcomes)} not searched ({self.names(node)})", "red"
        elif node.is_cut:
            yield f"cut at its last {'outcome' if node.side == CHANCE else 'move'}", "dim"
        if node.ply == self.plies and node.nodes > 1:
            yield f"({plural(node.nodes - 1, 'node')} below)", "dim"

    def names(self, node: Node) -> str:
        """The moves that were not searched."""
        names = [self.game.move_name(node.state, move) for move in node.pruned[:NAMED]]
        return ", ".join(names) + (", ..." if len(node.pruned) > NAMED else "")


def heading(trace: Trace, shown: Pass) -> str:
    """What search the tree is of, and which others it is not."""
    depth = "to the end of the game" if shown.depth >= FULL_DEPTH else f"to depth {shown.depth}"
    searches = [each for each in trace.passes if each.purpose == "search"]
    earlier, later = searches.index(shown), len(searches) - searches.index(shown) - 1
    what = "the searched tree" if len(searches) == 1 else "iteration"
    text = f"{what} {depth} (run interpreted, so that each node is seen)"
    if earlier:
        # Null windows ask several times at each depth.
        is_asked_again = len({each.depth for each in searches}) < len(searches)
        word = "earlier search" if is_asked_again else "earlier iteration"
        text += f"; {plural(earlier, word, word + ('es' if is_asked_again else 's'))} not shown"
    if later:
        text += "; the unfinished iteration is not shown"
    if len(searches) < len(trace.passes):
        text += "; the second search, for how soon, is not shown"
    return text


def footing(shown: Pass, trace: Trace, drawn: int) -> str:
    """How much of the tree is left out."""
    nodes = shown.root.nodes if shown.root is not None else 0
    if drawn == nodes:
        return f"all {plural(nodes, 'node')} drawn"
    return (
        f"{drawn:,} of {plural(nodes, 'node')} drawn, {nodes - drawn:,} left out "
        f"(--plies {trace.plies}, --width {trace.width})"
    )


def drawn_nodes(node: Node) -> int:
    """How many nodes of the tree were kept."""
    return 1 + sum(drawn_nodes(child) for child in node.children)


def tree_data(game: Game[Any], node: Node, parent: Node | None = None) -> dict[str, Any]:
    """The tree from a node on as JSON says it; an infinite end of a window is null."""
    drawing = Drawing(game, -1, only_ascii=True)
    data: dict[str, Any] = {
        "move": None if parent is None or node.move is None else game.move_name(parent.state, node.move),
        "side": drawing.side(node),
        "window": [data_number(node.alpha), data_number(node.beta)],
        "value": None if node.is_unfinished else data_number(node.value),
        "bound": node.bound,
        "found": node.kind,
        "nodes": node.nodes,
        "pruned": [game.move_name(node.state, move) for move in node.pruned],
        "left_out": node.visited - len(node.children),
        "children": [tree_data(game, child, node) for child in node.children],
    }
    if node.probability is not None:
        data["probability"] = node.probability
    return data
