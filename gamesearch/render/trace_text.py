"""A saved trace in the terminal: what was searched, what came of it, and the tree."""

from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.parts.formatting import plural, typeset
from gamesearch.render.tree import SearchTree, TreeNode, TreeView, tree_data
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["RecordingView", "recorded_tree", "recording_data", "statistics_sentence", "value_sentence"]

BOUNDS = {"exact": "", "lower": "at least ", "upper": "at most "}


class RecordingView:
    """The board, the value, the best line, the statistics and the tree of a recorded search."""

    def __init__(self, recording: Recording, plies: int, width: int, only_ascii: bool = False) -> None:
        self.recording, self.only_ascii = recording, only_ascii
        self.tree = recorded_tree(recording, plies, width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part."""
        header, end, root = self.recording.header, self.recording.end, self.recording.root
        if root is not None:
            yield Text("\n".join(root.board))
            yield Text()
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="dim")
        table.add_column()
        table.add_row("game", Text(header["game"]))
        table.add_row("position", Text(f"{header['position']}  {turn_sentence(self.recording)}"))
        shown = value_sentence(self.recording)
        table.add_row("value", Text(shown if self.only_ascii or options.ascii_only else typeset(shown), style="bold"))
        if end["best"] is not None:
            table.add_row("best", Text(end["best"], style="bold"))
        if len(end["line"]) > 1:
            table.add_row("line", Text(" ".join(end["line"])))
        yield table
        yield Text()
        yield Text(header["algorithm"])
        yield Text(statistics_sentence(self.recording), style="dim")
        if end["left_out"]:
            yield Text(f"{plural(end['recorded'], 'node')} recorded, {end['left_out']:,} left out", style="dim")
        if end.get("stopped"):
            yield Text(f"the search was stopped ({end['stopped']}): this is what it knew", style="yellow")
        yield Text()
        yield TreeView(self.tree, self.only_ascii)


def turn_sentence(recording: Recording) -> str:
    """Whose turn it is, by the game's name and the textbook's."""
    player, names = recording.header["player"], recording.header["names"]
    if player == "chance":
        return "chance decides next"
    name = names[("Max", "Min").index(player)] if player in ("Max", "Min") else player
    return f"{name} to move" if name == player else f"{name} ({player}) to move"


def value_sentence(recording: Recording) -> str:
    """The value, or what is known of it."""
    end = recording.end
    return f"{'' if end['value'] is None else BOUNDS[end['bound']]}{end['shown']}"


def statistics_sentence(recording: Recording) -> str:
    """What the search did."""
    end = recording.end
    return ", ".join(
        (
            plural(end["nodes"], "node"),
            plural(end["leaves"], "leaf", "leaves"),
            plural(end["cutoffs"], "cutoff"),
            plural(end["table_hits"], "table hit"),
        )
    )


def recording_data(recording: Recording, plies: int, width: int) -> dict[str, Any]:
    """A recorded search as JSON says it."""
    root = recorded_tree(recording, plies, width).root
    about = {name: fact for name, fact in recording.header.items() if name not in ("event", "format", "version")}
    found = {name: fact for name, fact in recording.end.items() if name != "event"}
    return {**about, **found, "tree": None if root is None else tree_data(root)}


def recorded_tree(recording: Recording, plies: int, width: int) -> SearchTree:
    """The tree that `analyze --tree` would have drawn, as far as it is recorded."""
    searches = [each for each in recording.iterations if each.purpose == "search"]
    root = recording.root
    return SearchTree(
        root=None if root is None else recorded_node(recording, root, plies, width),
        depths=[each.depth for each in searches],
        index=next((index for index, each in enumerate(searches) if root and each.root == root.number), 0),
        has_second=len(searches) < len(recording.iterations),
        names=recording.header["names"],
        plies=plies,
        width=width,
    )


def recorded_node(recording: Recording, node: RecordedNode, plies: int, width: int, number: int = 0) -> TreeNode:
    """A recorded node with all below it that is drawn; `number` is its place among its parent's children."""
    is_folded = node.ply >= plies
    kept = [] if is_folded else node.first_children(width)
    return TreeNode(
        move=node.move,
        side=node.side,
        window=node.window,
        window_shown=node.window_shown,
        value=node.value,
        shown=node.shown,
        bound=node.bound,
        kind=node.kind,
        nodes=node.nodes,
        chance=node.chance,
        is_probe=node.is_probe,
        is_cut=node.is_cut,
        pruned=node.pruned,
        reason=reason(recording, node),
        children=[
            recorded_node(recording, recording.nodes[child], plies, width, node.children.index(child)) for child in kept
        ],
        visited=0 if is_folded else len(node.children),
        number=number,
        is_folded=is_folded,
    )


def reason(recording: Recording, node: RecordedNode) -> str:
    """Why the rest of a node is useless: what another player has already, further up."""
    if node.refuted is None:
        return ""
    above = recording.nodes[node.refuted["node"]]
    place = " at the root" if above.parent is None else f", {plural(node.ply - above.ply, 'ply', 'plies')} above"
    return f"{node.refuted['move']} gives {above.side} {node.refuted['shown']}{place}"
