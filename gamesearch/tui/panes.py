"""The texts of the two panes of a recorded search: the tree, and the current node with its board."""

from rich.text import Text

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.render.trees.tree import SIGNS, side_style
from gamesearch.trace.events import COSTS, PROOF
from gamesearch.trace.excerpts import Row, fold_tree
from gamesearch.trace.stepping import NodeState, Stepper
from gamesearch.trace.wording.phrases import BOUND_WORDS, certainty_words

__all__ = ["node_text", "tree_text"]

GUIDES = ("│ ", "  ", "├ ", "└ ")
ASCII_GUIDES = ("| ", "  ", "+ ", "` ")
PLIES = 12
"""The greatest number of moves to show of a path in the tree."""
LABEL, LEAST_PLIES = 24, 4
"""The number of columns that are kept free for the text of a node, and the least number of plies of the tree to
show."""


def tree_text(stepper: Stepper, width: int, height: int, shows_narrowed: bool = True, only_ascii: bool = False) -> Text:
    """Draw the tree in a limited width and height.

    If `shows_narrowed` is true, the tree shows the windows as the search has narrowed them so far; otherwise, the
    windows at the time when the search entered the node.
    """
    plies = max(LEAST_PLIES, (width - LABEL) // 2)
    lines = [tree_line(stepper, row, shows_narrowed, only_ascii) for row in fold_tree(stepper, max(1, height), plies)]
    for line in lines:
        line.truncate(width, overflow="crop" if only_ascii else "ellipsis")
    return Text("\n").join(lines)


def tree_line(stepper: Stepper, row: Row, shows_narrowed: bool, only_ascii: bool) -> Text:
    """Draw one line of the tree: a node, or the number of hidden nodes."""
    is_here = row.number == stepper.node.number
    parts = [("> " if is_here else "  ", ""), (guides(row.lasts, only_ascii), "dim")]
    if row.number is None:
        return Text.assemble(*parts, (f"... {row.hidden} more", "dim"))
    node, known = stepper.recording.nodes[row.number], stepper.state_of(row.number)
    is_child = node.parent is not None
    is_best = node.parent is not None and stepper.state_of(node.parent).best_child == node.number
    window = known.window_shown if shows_narrowed else node.window_shown
    sure = certainty_words(known.visits, known.interval_shown)
    parts += [
        ("... " if is_child and not row.lasts else "", "dim"),
        (f"{node.number}: ", "dim"),
        (f"{'*' if is_best else ''}{node.move} " if node.move is not None and is_child else "", "bold"),
        (node.side, side_style(stepper.recording.role(node.side))),
        (f" {window}" if window and node.side != "end" else "", "dim"),
        (value(known, only_ascii), "bold"),
        (f" {sure}" if sure else "", "dim"),
        (f" {'x' if only_ascii else '✗'} {', '.join(known.pruned)}" if known.pruned else "", "red"),
        (f" (+{row.hidden})" if row.hidden else "", "dim"),
    ]
    text = Text.assemble(*parts)
    return Text(text.plain, style="bold reverse") if is_here else text


def guides(lasts: tuple[bool, ...], only_ascii: bool) -> str:
    """The vertical and horizontal lines that lead to a node."""
    beside, gone, fork, last = ASCII_GUIDES if only_ascii else GUIDES
    above = "".join(gone if is_last else beside for is_last in lasts[:-1])
    return above + ((last if lasts[-1] else fork) if lasts else "")


def value(known: NodeState, only_ascii: bool) -> str:
    """Format what is known about the value of a node at the current event; empty if nothing is known."""
    if not known.shown:
        return ""
    if not known.bound:
        return f" {known.shown} so far"
    sign = SIGNS[known.bound]
    return f" {sign if only_ascii else typeset(sign)} {known.shown}"


def node_text(stepper: Stepper, shows_narrowed: bool = True) -> Text:
    """Describe the current node, with its board below. Long lines are cropped."""
    node, known = stepper.node, stepper.state_of(stepper.node.number)
    moves = [str(each.move) for each in stepper.path[1:]]
    what = {PROOF: "numbers", COSTS: "cost"}.get(stepper.recording.growth, "value")
    facts = [
        ("node", f"{node.number}, ply {node.ply}, {known.state}"),
        ("path", ("... " if len(moves) > PLIES else "") + " ".join(moves[-PLIES:])),
        ("to move", "" if node.side == "end" else node.side),
        ("window", known.window_shown if shows_narrowed else node.window_shown),
        ("range", stepper.ranges.at(node.number, stepper.at) if node.children or node.pruned else ""),
        (what, BOUND_WORDS[known.bound] + known.shown),
        ("of" if known.visits else "", certainty_words(known.visits, known.interval_shown)),
        ("position", "" if node.same is None else f"same as node {node.same}"),
        ("to come", ", ".join(known.coming)),
        ("cut", ", ".join(known.pruned)),
        ("best line", " ".join(stepper.best_line[:PLIES])),
    ]
    lines = [Text.assemble((f"{name:<9} ", "dim"), f"{fact}\n") for name, fact in facts if fact]
    return Text.assemble(*lines, ("\n" + "\n".join(node.board), "bold"), no_wrap=True, overflow="crop")
