"""The data of the page of a growing tree: the tree after each playout or each expansion.

The page has the same frame as the pages of other searches. Small subtrees are folded. growth_page.js reads this JSON:

    texts    all names, values, lines of boards and sentences, each once; other entries contain indexes of texts
    sides    the names of Max and Min
    growth   the way in which the tree grows, one of `trace.events.GROWING`
    noun     the word for a step, such as `playout`
    nodes    for each node, the number of earlier steps, then the row of `Rows.enter`
    same     pairs of a node and an earlier node, if both are the same node of the search, reached by two paths
    drops    for each step that drops values from a table, the number of earlier steps, and the nodes that lose values
    steps    for each playout, the last node of its path and the payoff; for each step without a playout, its node,
             an empty list, and a sentence. Some paths contain a node that is not an ancestor of the last node. Then
             the entry lists all nodes of the path, and the payoff that was added to each node. If only the payoffs
             differ, the entry lists only them. Each list begins at the root.
    changes  for each new value, the number of earlier steps, the node, the value as text, and whether the value is
             certain. Unless the value is a proof number or a cost, the entry also has the value as a number, the
             deviation of a belief, and the probability that the move is the best.
    least, greatest, signed   the least and the greatest payoff, and whether payoffs are written with a sign
    result   the sentence about the result
    boards   for each node, the width, the height and the drawing of its board, if boards are drawn
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any

from gamesearch.algorithms.engine.formatting import probability_text, with_signs
from gamesearch.trace.events import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF, TABLE
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.node_values import NodeValue, is_solved
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import sentence, step_sentence

__all__ = ["TABLE_STEPS", "Row", "Rows", "growth_data", "growth_parts"]

Row = list[Any]
EMPTY_WINDOW = "[ ____ , ____ ]"


class Rows:
    """Makes the row of each node. Each text is replaced by its index in `texts`."""

    def __init__(self, recording: Recording, blank: bool) -> None:
        self.recording, self.blank = recording, blank
        self.texts: dict[str, int] = {}

    def text(self, text: str | None) -> int | None:
        """Return the index of a text in `texts`; None if the text is None. A new text is added to `texts`."""
        return None if text is None else self.texts.setdefault(text, len(self.texts))

    def number_text(self, text: str) -> int | None:
        """Write a text, such as a value, a window or a sentence, with mathematical signs. Returns the index of the new
        text."""
        return self.text(with_signs(text))

    def enter(self, event: dict[str, Any]) -> Row:
        """The row of a new node: its number, parent, move, side, probability and window. The row also contains the
        lines of its board and of its position that have changed.

        In a worksheet, the row ends with the pruned moves of the node.
        """
        node = self.recording.nodes[event["node"]]
        parent = None if node.parent is None else self.recording.nodes[node.parent]
        window = EMPTY_WINDOW if self.blank and node.window_shown else node.window_shown
        row = [
            node.number,
            node.parent,
            self.text(node.move),
            self.text(node.side),
            None if node.chance is None else self.text(probability_text(node.chance)),
            self.number_text(window),
            self.changes(node.board, [] if parent is None else parent.board),
            self.changes(pieces(node.position), [] if parent is None else pieces(parent.position)),
        ]
        return [*row, [self.text(name) for name in node.pruned]] if self.blank else row

    def changes(self, lines: Sequence[str], before: Sequence[str]) -> list[int | None]:
        """How many lines there are, followed by the index and the text of each line that has changed."""
        pairs = enumerate(zip_longest(lines, before[: len(lines)]))
        changed = ((place, self.text(line)) for place, (line, old) in pairs if line != old)
        return [len(lines), *chain.from_iterable(changed)]


def pieces(position: str) -> list[str]:
    """Divide the text of a position into pieces: rows of the board, or pieces of 8 characters. A move changes only a
    few pieces.

    >>> pieces("XX./OO./..."), pieces("....XO..OX.... X")
    (['XX./', 'OO./', '...'], ['....XO..', 'OX.... X'])
    """
    return re.findall("[^/]{0,8}/|[^/]{1,8}", position)


MEANINGS = {
    PLAYOUTS: "The bar is the share of the parent's playouts. The line is the 95 % confidence interval of the "
    "expected payoff, which assumes independent playouts; the dot is the average.",
    EXPANSIONS: "The bar is the share of this subtree in the parent's expansions. The dot is the value.",
    BELIEFS: "The bar is the share of this subtree in the parent's expansions. The line is the 95 % interval of the "
    "value, which assumes normally distributed errors; the dot is the mean.",
    TABLE: "A step can reach a position, store a value in the table, begin a level of positions or drop a level. If a "
    "step reaches a position again, the line shows = and the name of the position. A click on the name selects the "
    "first node of the position.",
    PROOF: "The bar is the share of this subtree in the parent's expansions. The proof number is the least number of "
    "leaves that must be proven to prove the node. The disproof number is the least number of leaves that must be "
    "disproven to disprove it.",
    COSTS: "The bar is the share of this subtree in the parent's expansions. The cost estimates what the attacker "
    "still needs for a win; 0 means that the win is proven. If the attacker is to move, the cost is 0 if a move costs "
    "0; otherwise, it is one more than the least cost of a move. If the defender is to move, the cost is the greatest "
    "cost of a move, plus the number of moves that do not cost 0. A move back to a position on the path does "
    "not help the attacker: until all costs are computed again, its cost is shown as stuck.",
}
"""The texts that explain the drawing in the help of the page. The keys are the kinds of growing trees."""
STEPS = ("count", "expanded")
TABLE_STEPS = ("enter", "revalue", "level", "drop")
"""The events that end a step: TABLE_STEPS if the search fills a table of values, STEPS in other searches."""


def growth_parts(recording: Recording) -> dict[str, str]:
    """The texts that are inserted into the HTML of the page."""
    order = "" if recording.growth == TABLE else f"; nodes with the most {noun_of(recording)}s first"
    return {"noun": noun_of(recording), "order": order, "meaning": MEANINGS[recording.growth]}


def noun_of(recording: Recording) -> str:
    """The noun for one step in the growth of a tree, such as `playout`."""
    return {PLAYOUTS: "playout", TABLE: "step"}.get(recording.growth, "expansion")


def growth_data(recording: Recording) -> dict[str, Any]:
    """The data of the page (see the docstring of the module)."""
    if len(recording.iterations) > 1:  # a proof may ask several questions; only the last tree is shown
        recording = limit_recording(recording)
    rows, nodes, steps, ends = Rows(recording, blank=False), list[Row](), list[Row](), list[int]()
    changes, drops, stepper, shares = list[Row](), list[Row](), Stepper(recording), None
    is_table = recording.growth == TABLE
    for number, event in enumerate(recording.events):
        kind = event["event"]
        if kind == "enter":
            nodes.append([len(steps), *rows.enter(event)])
        elif kind == "drop":
            drops.append([len(steps), event["path"]])
        elif kind == "count":
            steps.append(counted_nodes(recording, event))
        if is_table and kind in TABLE_STEPS:
            stepper.go(number)
            steps.append([event["node"], [], rows.number_text(sentence(stepper))])
        elif kind == "expanded" and not is_table:
            stepper.go(number)
            steps.append([event["path"][-1], [], rows.number_text(step_sentence(stepper, shares))])
        elif kind == "chances":
            shares = event
        elif kind == "proven" and recording.is_played_out and event["lower"] == event["upper"]:
            changes.append([len(steps), event["node"], rows.number_text(event["shown"]), True])
        if kind in (TABLE_STEPS if is_table else STEPS):
            ends.append(number)
    if not recording.is_played_out:
        for node in recording.nodes.values():
            # If a node gets several values in one step, only the last of them is listed.
            last = {bisect_left(ends, found.event): found for found in node.value_history}
            changes += [[step, node.number, *value_row(rows, each)] for step, each in last.items()]
    stepper.go(len(stepper.events))
    result, scale = with_signs(sentence(stepper)), recording.scale
    return {
        "texts": list(rows.texts),
        "sides": list(recording.sides),
        "growth": recording.growth,
        "noun": noun_of(recording),
        "result": result,
        "nodes": nodes,
        "same": [[node.number, node.same] for node in recording.nodes.values() if node.same in recording.nodes],
        "drops": drops,
        "steps": steps,
        "changes": changes,
        **(scale._asdict() if scale is not None else {}),
    }


def counted_nodes(recording: Recording, event: dict[str, Any]) -> Row:
    """The nodes to which a playout added its payoff, and the added payoffs. The docstring of the module describes the
    format (see `steps`)."""
    path, values = event["path"], event["values"]
    is_plain = path == [node.number for node in recording.path(path[-1])]
    is_same = is_plain and all(value == values[0] for value in values)
    return [path[-1] if is_plain else path, values[:1] if is_same else values]


def value_row(rows: Rows, found: NodeValue) -> Row:
    """The row that describes one value of a node."""
    value, shown = found.value, rows.number_text(found.shown)
    if isinstance(value, list):
        return [shown, is_solved(value)]
    return [shown, found.bound == "exact", value, found.deviation, found.share]
