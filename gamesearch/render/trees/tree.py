"""The searched tree in the terminal: each node with its window, its value, and the moves that were pruned.

The line of a node shows the move that leads to the node, the player to move, the window [alpha, beta] on entry, and the
returned value (`=`) or bound (`<=` or `>=`).

The tree is drawn to depth `plies`. For each node, the first `width` children and the best child are drawn. Pruned
branches that `trace.pruned` added are crossed out.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gamesearch.algorithms.engine.formatting import plural, probability_text, typeset
from gamesearch.game import Game
from gamesearch.render.boards.board import compact_drawing
from gamesearch.render.boards.colors import small_board
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.pictures import picture
from gamesearch.trace.events import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF, PURPOSES, TABLE
from gamesearch.trace.ranges import NodeRanges
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.wording.phrases import certainty_words, depth_words, names_text

__all__ = ["DATED", "KINDS", "SIGNS", "TreeView", "side_style", "tree_data"]

SIGNS = {"exact": "=", "upper": "<=", "lower": ">=", "estimate": "~"}
DATED = re.compile(r"[+-]\S+ in ([0-9]{1,9})")
"""A pattern for a value that contains the number of plies to a win, such as `+1 in 5`."""
KINDS = {
    "estimate": "estimate",
    "table": "from the table",
    "bounds": "from the game's bounds",
    "database": "from a database",
    "repetition": "repetition: a draw",
    "stuck": "every move forbidden: a draw",
    "passed": "cutoff by a null move",
    "predicted": "predicted cutoff",
    "proven": "proven",
    "disproven": "disproven",
}
STRUCK = "╱╱"
"""The mark of a pruned branch; `//` in ASCII."""


class TreeView:
    """Draws a searched tree. A heading describes the search, and the last line counts the nodes that are left out.

    If a game is given, the board of each node is drawn. `windows` is `search`, `ranges` or `none`. `has_moves`
    tells whether moves are named, and `has_notes` whether notes follow the values.
    """

    def __init__(
        self,
        recording: Recording,
        plies: int,
        width: int,
        game: Game | None = None,
        windows: str = "search",
        *,
        has_moves: bool = True,
        has_notes: bool = True,
    ) -> None:
        self.recording, self.plies, self.width, self.only_ascii = recording, plies, width, False
        self.game, self.windows = game, windows
        self.has_moves, self.has_notes = has_moves, has_notes
        self.console: Console | None = None
        self.ranges = NodeRanges(recording) if windows == "ranges" else None
        self.drawn = 0
        """The number of visited nodes that have been drawn."""
        self.drawn_pruned = 0
        """The number of pruned nodes that have been drawn."""
        self.dated = ""
        """The first drawn value that contains the number of plies to a win, such as `+1 in 5`."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the heading, the tree and the last line."""
        self.only_ascii, self.dated, self.console = options.ascii_only, "", console
        self.drawn = self.drawn_pruned = 0
        root = self.recording.root
        if root is None:
            yield Text("this search has no tree: the algorithm visits no nodes")
            return
        if self.game is not None and not self.board(root).plain.strip():  # a tree that the user typed has no boards
            self.game = None
        tree = self.tree(root)
        yield Text(heading(self.recording, root))
        yield tree
        yield Text(self.footing(root), style="dim")
        if self.dated:
            winner = self.recording.header["names"][not self.dated.startswith("+")]
            plies = plural(int(self.dated.rpartition(" ")[2]), "ply", "plies")
            yield Text(f"{self.dated}: a win for {winner}, {plies} from the root", style="dim")

    def tree(self, node: RecordedNode, above: Tree | None = None) -> Tree:
        """The tree below a node: the node's own line, its children, and lines that say how many children are left
        out."""
        label = self.line(node) if self.game is None else self.beside_board(node)
        tree = above.add(label) if above is not None else Tree(label, guide_style="dim", highlight=False)
        if node.ply >= self.plies:
            return tree
        children = self.recording.children(node, self.width)
        if self.game is not None and children and all(self.is_leaf(child) for child in children):
            tree.add(Columns([self.above_label(child) for child in children], padding=(1, 3)))
            drawn = {child.number for child in children}
            if hidden := [number for number in node.children if number not in drawn]:
                tree.add(self.gap(hidden, len(hidden), self.recording.hidden_nodes(node, self.width)))
            return tree
        hidden_nodes = self.recording.hidden_nodes(node, self.width)
        order = self.recording.order(node)
        missing, due = len(order) - len(children), 0
        for child in children:
            place = order.index(child.number)
            if place > due:
                tree.add(self.gap(order[due:place], missing, hidden_nodes))
            self.tree(child, tree)
            due = place + 1
        if len(order) > due:
            tree.add(self.gap(order[due:], missing, hidden_nodes))
        elif hidden_nodes > 0 and not missing:
            tree.add(Text(f"... {plural(hidden_nodes, 'node')}, not recorded", style="dim"))
        return tree

    def gap(self, hidden: list[int], missing: int, nodes: int) -> Text:
        """A line that stands for the children `hidden`, which are not drawn. `missing` is the number of all undrawn
        children of the parent, and `nodes` is the number of visited nodes in the subtrees of the undrawn children."""
        recorded = self.recording.nodes
        pruned = sum(number in recorded and recorded[number].is_pruned for number in hidden)
        searched = len(hidden) - pruned
        below = f", {plural(nodes, 'node')}" if len(hidden) == missing else ""
        parts = [f"{searched:,} more searched{below}"] * (searched > 0) + [f"{pruned:,} more pruned"] * (pruned > 0)
        return Text(f"... {', '.join(parts)}", style="dim")

    def is_leaf(self, node: RecordedNode) -> bool:
        """Whether a node is drawn without its children, or has no children."""
        return node.ply >= self.plies or not node.children

    def board(self, node: RecordedNode) -> Text:
        """Draw the board of a node with characters."""
        assert self.game is not None
        assert self.console is not None
        board = picture(self.game, self.game.parse(node.position))
        drawing = compact_drawing(small_board(board), Ink(board, self.console), None, self.only_ascii)
        return Text("\n").join(drawing.lines)

    def beside_board(self, node: RecordedNode) -> RenderableType:
        """The board of an inner node. The node's line of text is to the right of the board."""
        grid = Table.grid(padding=(0, 2))
        grid.add_row(self.board(node), self.line(node))
        return grid

    def above_label(self, node: RecordedNode) -> RenderableType:
        """The board of a leaf. Below the board are the move to the leaf and the leaf's value."""
        text = Text(" ").append_text(self.mark(node))
        if node.move is not None and self.has_moves:
            text.append(f"{node.move} ", style="bold")
        if node.kind != "unfinished":
            text.append(f"{self.set(SIGNS[node.bound])} {self.set(node.shown)}", style="bold")
        board = self.board(node)
        if node.is_pruned:
            board.stylize("dim")
            text.stylize("dim")
        return Group(board, text)

    def mark(self, node: RecordedNode) -> Text:
        """Count a drawn node. If the node is pruned, returns the mark of a pruned branch; otherwise, returns an empty
        text."""
        self.drawn, self.drawn_pruned = self.drawn + (not node.is_pruned), self.drawn_pruned + node.is_pruned
        return Text(f"{self.struck} " if node.is_pruned else "")

    @property
    def struck(self) -> str:
        """The mark of a pruned branch."""
        return "//" if self.only_ascii else STRUCK

    def window(self, node: RecordedNode) -> str:
        """The window with which the search entered a node, or the range of the node if ranges are shown."""
        if self.ranges is not None:
            is_inner = not node.is_pruned and (node.children or node.pruned)
            return self.ranges.at(node.number) if is_inner else ""
        return node.window_shown if self.windows == "search" else ""

    def line(self, node: RecordedNode) -> Text:
        """The line of text that stands for a node."""
        text = self.mark(node)
        above = []
        if node.move is not None and self.has_moves:
            above.append(Text(node.move, style="bold strike" if node.is_pruned else "bold"))
        if node.chance is not None:
            above.append(Text(f"({probability_text(node.chance)})", style="cyan"))
        if above:
            text.append_text(Text(" ").join(above)).append("  ")
        text.append(node.side, style=side_style(node.side))
        if window := self.window(node):
            text.append(" " + self.set(window), style="dim")
        if node.kind == "unfinished":
            text.append("  not finished", style="yellow")
        else:
            text.append(f" {self.set(SIGNS[node.bound])} {self.set(node.shown)}", style="bold")
            self.dated = self.dated or (node.shown if DATED.fullmatch(node.shown) else "")
        for remark, style in self.remarks(node) if self.has_notes else ():
            text.append(f"  {remark}", style=style)
        if node.is_pruned:
            text.stylize("dim")
        return text

    def set(self, text: str) -> str:
        """The text of a value or a window, with mathematical signs if the output is not ASCII."""
        return text if self.only_ascii else typeset(text)

    def remarks(self, node: RecordedNode) -> Iterator[tuple[str, str]]:
        """Remarks on a node, each with its style."""
        noun = "outcome" if node.side == "chance" else "move"
        if node.given and node.kind != "estimate":
            yield f"estimate {self.set(node.given)}", "dim"
        if sure := certainty_words(node.visits, self.set(node.interval_shown)):
            yield sure, "dim"
        if node.same is not None and node.kind != "table":
            yield "transposition", "dim"
        if node.kind in KINDS:
            yield KINDS[node.kind], "dim"
        if PURPOSES.get(node.purpose):
            yield PURPOSES[node.purpose], "dim"
        for why, moves in node.left_out.items():
            yield f"{why}: {plural(len(moves), noun)} left out{self.names(moves)}", "dim"
        if node.is_probe:
            yield "probe: only the first move is searched", "dim"
        elif node.pruned:
            cut = f"cut: {plural(len(node.pruned), noun)} not searched{self.names(node.pruned)}"
            yield cut + self.reason(node), "red"
        elif node.is_cut:
            yield f"cutoff at the last {noun}{self.reason(node)}", "dim"
        if node.ply >= self.plies and node.nodes > 1:
            yield f"({plural(node.nodes - 1, 'node')} below)", "dim"

    def names(self, moves: Sequence[str]) -> str:
        """The names of moves in parentheses, after a space; an empty text if moves are not named."""
        return f" ({names_text(moves)})" if self.has_moves else ""

    def reason(self, node: RecordedNode) -> str:
        """The end of a sentence about a cutoff: which better move of an ancestor caused it. Empty if the cutoff has
        another reason."""
        if node.refuted is None:
            return ""
        above = self.recording.nodes[node.refuted["node"]]
        plies = plural(node.ply - above.ply, "ply", "plies")
        place = " at the root" if above.parent is None else f" {plies} above this node"
        move = node.refuted["move"] if self.has_moves else "another move"
        return f", because {move} gives {above.side} {node.refuted['shown']}{place}"

    def footing(self, root: RecordedNode) -> str:
        """The last line of the tree: how many nodes are drawn, and how many are left out."""
        crossed = f"; {self.struck} marks pruned nodes, with their true values" if self.drawn_pruned else ""
        if self.drawn == root.nodes:
            return f"all {plural(root.nodes, 'node')} drawn{crossed}"
        return (
            f"{self.drawn:,} of {plural(root.nodes, 'node')} drawn, {root.nodes - self.drawn:,} left out "
            f"(--plies {self.plies}, --width {self.width}){crossed}"
        )


def side_style(side: str) -> str:
    """The color of a player or of chance. The color is readable on light and dark backgrounds."""
    return {"Max": "green", "chance": "cyan", "end": ""}.get(side, "magenta")


def heading(recording: Recording, root: RecordedNode) -> str:
    """The heading: it names the search whose tree is drawn, and says which other searches the trace contains."""
    depths = [each.depth for each in recording.searches]
    index = [each.root for each in recording.searches].index(root.number)
    if recording.growth:
        return growing_heading(recording, root, index)
    what = "the searched tree" if len(depths) == 1 else "iteration"
    text = f"{what} {depth_words(depths[index])} (run interpreted to record each node)"
    if index:
        # Searches with null windows repeat each depth several times.
        word = "earlier search" if len(set(depths)) < len(depths) else "earlier iteration"
        text += f"; {plural(index, word, 'earlier searches' if word == 'earlier search' else '')} not shown"
    if later := len(depths) - index - 1:
        text += f"; {plural(later, 'later iteration')} not shown"
    if len(depths) < len(recording.iterations):
        text += "; the second search, for the fastest win, is not shown"
    total = recording.end["nodes"]
    others = total - root.nodes
    return text + (f" ({others:,} of {total:,} nodes are in searches not shown)" if root.nodes and others > 0 else "")


def growing_heading(recording: Recording, root: RecordedNode, index: int) -> str:
    """A heading that says how the tree grew, and what the numbers at its nodes mean."""
    search = recording.searches[index]
    asked = f"the tree for the question whether Max can get at least {search.goal_shown}"
    tree, numbers = {
        PLAYOUTS: (f"the tree after {plural(root.visits, 'playout')}", "averages with 95 % confidence intervals"),
        EXPANSIONS: (f"the tree after {plural(recording.expansions, 'expansion')}", "estimates, backed up by minimax"),
        BELIEFS: (f"the tree after {plural(recording.expansions, 'expansion')}", "means of beliefs"),
        TABLE: (f"the table of {plural(recording.end.get('entries', 0), 'value')} as a tree", "exact values"),
        PROOF: (asked, "proof and disproof numbers"),
        COSTS: (asked, f"costs of a proof by {search.attacker}"),
    }[recording.growth]
    before = f"; {plural(index, 'earlier question')} not shown" if index else ""
    return f"{tree} (run interpreted to record each node); {numbers}{before}"


def tree_data(recording: Recording, plies: int, width: int, node: RecordedNode | None = None) -> dict[str, Any] | None:
    """Return the tree below a node as JSON; None if the recording has no tree. The default node is the root.

    An infinite end of a window is null.
    """
    node = node or recording.root
    if node is None:
        return None
    is_deepest = node.ply >= plies
    children = [] if is_deepest else recording.children(node, width)
    data: dict[str, Any] = {
        "move": node.move,
        "side": node.side,
        "window": node.window or [None, None],
        "value": None if node.kind == "unfinished" else node.value,
        "bound": node.bound,
        "found": node.kind,
        "nodes": node.nodes,
        "pruned": list(node.pruned),
        "left_out": 0 if is_deepest else len(node.children) - len(children),
        "children": [tree_data(recording, plies, width, child) for child in children],
    }
    if node.chance is not None:
        data["probability"] = node.chance
    if node.is_pruned:
        data["is_pruned"] = True
    if node.is_assumed:
        data["assumed"] = True
    if node.visits:
        data |= {"visits": node.visits, "interval": node.interval}
    if node.value_history:
        last = node.value_history[-1]
        data |= {name: fact for name in ("deviation", "share") if (fact := getattr(last, name)) is not None}
    return data
