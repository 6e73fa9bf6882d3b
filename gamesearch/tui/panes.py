"""The texts of the two panes of a recorded search: the tree, and the current node with its board."""

from collections.abc import Iterator

from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, typeset
from gamesearch.render.trees.tree import SIGNS, side_style
from gamesearch.trace.events import COSTS, PROOF, TABLE
from gamesearch.trace.excerpts import Row, fold_tree
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import NodeState, Stepper
from gamesearch.trace.wording.phrases import BOUND_WORDS, certainty_words

__all__ = ["node_text", "tree_text"]

GUIDES = ("│ ", "  ", "├ ", "└ ")
ASCII_GUIDES = ("| ", "  ", "+ ", "` ")
PLIES = 12  # the greatest number of moves to show of the path to the current node, and of the best line
LISTED = 50  # the greatest number of values that the table of values lists
LABEL, LEAST_PLIES = 24, 4  # the columns kept free for the text of a node, and the least number of plies to show


def tree_text(stepper: Stepper, width: int, height: int, windows: str = "search", only_ascii: bool = False) -> Text:
    """Draw the tree. `windows` selects the intervals to show. `search` shows the current windows, and `entry` shows the
    windows on entry (for quizzes). `ranges` shows the ranges of values, and `none` shows no intervals."""
    plies = max(LEAST_PLIES, (width - LABEL) // 2)
    lines = [tree_line(stepper, row, windows, only_ascii, width) for row in fold_tree(stepper, max(1, height), plies)]
    for line in lines:
        line.truncate(width, overflow="crop" if only_ascii else "ellipsis")
    return Text("\n").join(lines)


def tree_line(stepper: Stepper, row: Row, windows: str, only_ascii: bool, width: int) -> Text:
    """Draw one line of the tree: a node, or the number of hidden nodes. If the value would not fit into `width`, leave
    out the interval."""
    is_here = row.number == stepper.node.number
    parts = [("> " if is_here else "  ", ""), (guides(row.lasts, only_ascii), "dim")]
    if row.number is None:
        return Text.assemble(*parts, (f"... {row.hidden} more", "dim"))
    node, known = stepper.recording.nodes[row.number], stepper.state_of(row.number)
    is_child = node.parent is not None
    is_best = node.parent is not None and stepper.state_of(node.parent).best_child == node.number
    window = interval_text(stepper, node, known, windows) if node.side != "end" else ""
    sure = certainty_words(known.visits, known.interval_shown)
    parts += [
        ("... " if is_child and not row.lasts else "", "dim"),
        (f"{node.number}: ", "dim"),
        (f"{'*' if is_best else ''}{node.move} " if node.move is not None and is_child else "", "bold"),
        ("" if node.same is None else f"same as {node.same}: ", "dim"),
        (node.side, side_style(stepper.recording.role(node.side))),
    ]
    worth = value(known, only_ascii)
    if window and Text.assemble(*parts).cell_len + len(window) + len(worth) < width:
        parts.append((f" {window}", "dim"))
    parts += [
        (worth, "dim strike" if known.is_dropped else "bold"),
        (" dropped" if known.is_dropped else "", "dim"),
        (f" {sure}" if sure else "", "dim"),
        (f" {'x' if only_ascii else '✗'} {', '.join(known.pruned)}" if known.pruned else "", "red"),
        (f" (+{row.hidden})" if row.hidden else "", "dim"),
    ]
    text = Text.assemble(*parts)
    return Text(text.plain, style="bold reverse") if is_here else text


def interval_text(stepper: Stepper, node: RecordedNode, known: NodeState, windows: str) -> str:
    """The text of a node's window or range. `tree_text` explains `windows`."""
    if windows == "ranges":
        return stepper.ranges.at(node.number, stepper.at) if node.children or node.pruned else ""
    return {"search": known.window_shown, "entry": node.window_shown}.get(windows, "")


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
    if known.value is None:  # a table has no value yet
        return f" {known.shown}"
    sign = SIGNS[known.bound]
    return f" {sign if only_ascii else typeset(sign)} {known.shown}"


def node_text(stepper: Stepper, windows: str = "search") -> Text:
    """Describe the current node. The text contains the node's board, and the table of values if there is one. `windows`
    has the same meaning as in `tree_text`."""
    node, known = stepper.node, stepper.state_of(stepper.node.number)
    moves = [str(each.move) for each in stepper.path[1:]]
    what = {PROOF: "numbers", COSTS: "cost"}.get(stepper.recording.growth, "value")
    is_table = stepper.recording.growth == TABLE
    about = "" if is_table and known.value is None else BOUND_WORDS[known.bound]
    facts = [
        ("node", f"{node.number}, ply {node.ply}, {known.state}"),
        ("path", ("... " if len(moves) > PLIES else "") + " ".join(moves[-PLIES:])),
        ("to move", "" if node.side == "end" else node.side),
        ("window", interval_text(stepper, node, known, "entry" if windows == "entry" else "search")),
        (
            "range",
            ""
            if windows == "entry" or (is_table and windows != "ranges")
            else interval_text(stepper, node, known, "ranges"),
        ),
        (what, about + known.shown + (", dropped" if known.is_dropped else "")),
        ("based on", plural(known.visits, "playout") if known.visits else ""),
        ("interval" if known.visits else "", known.interval_shown.replace(", best", f"\n{'':<10}best")),
        ("position", "" if node.same is None else f"same as node {node.same}"),
        ("to come", ", ".join(known.coming)),
        ("cut", ", ".join(known.pruned)),
        ("best line", " ".join(stepper.best_line[:PLIES])),
    ]
    lines = [Text.assemble((f"{name:<9} ", "dim"), f"{fact}\n") for name, fact in facts if fact]
    board = ("\n" + "\n".join(node.board), "bold")
    return Text.assemble(*lines, board, *table_lines(stepper), no_wrap=True, overflow="crop")


def table_lines(stepper: Stepper) -> Iterator[tuple[str, str]]:
    """Yield the values in the table, the newest first. If the search fills no table of values, yield nothing."""
    if stepper.recording.growth != TABLE:
        return
    firsts = [node for node in stepper.recording.nodes.values() if node.same is None]
    known = [(node, found) for node in firsts if (found := stepper.recording.value_at(node, stepper.at))]
    valued = [(found.event, node, found.shown) for node, found in known if found.bound == "exact"]
    kept = [each for each in valued if not stepper.state_of(each[1].number).is_dropped]
    gone = len(valued) - len(kept)
    yield f"\n\ntable     {plural(len(kept), 'value')}" + (f", {gone:,} dropped" if gone else ""), "dim"
    for event, node, shown in sorted(kept, key=lambda each: -each[0])[:LISTED]:
        yield f"\n{shown:>5}  {node.number}: {node.position}", "bold" if event == stepper.at else ""
    if len(kept) > LISTED:
        yield f"\n... {len(kept) - LISTED:,} more", "dim"
