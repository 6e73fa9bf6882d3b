"""A recording as an HTML page that replays the search. The page is one file, and needs no network and no build step.

The page is built from the search as JSON and from three files: page.html (shared by all pages), replay.html and
tree_page.html. The page must stay small even if the tree has thousands of nodes. So each text is written only once, and
other entries contain the index of the text. A board is written as the lines that differ from the board of the parent
(`gamesearch.render.trees.growth_page`). tree_page.js reads this JSON:

    texts    all names, windows, values, lines of boards and sentences, each once
    kinds    the names of the kinds of events
    events   a row for each event: the index of its kind, the values from the method of `EventRows` for this kind, and
             the sentence about the event
    blank    whether this is a worksheet
    sides    the names of Max and Min
    boards   for each node, the width, the height and the drawing of its board, if boards are drawn at nodes
    pruned   for each node, the rows of its pruned moves: number, move, side and value, if pruned branches are drawn
    windows  the intervals that are shown at nodes, as in `Style`
    moves    whether moves are shown at nodes
    notes    whether nodes have notes on how their values were found
    remarks  the note for each kind of value
    ranges   for each event that changes ranges, the nodes with their new ranges

The page of a growing tree uses the same frame, but other JSON (see `gamesearch.render.trees.growth_page`).

A worksheet contains only the tree, the boards, the values of the leaves, and the pruned moves. So the file does not
show students the windows, the values of inner nodes or the reasons for cutoffs.
"""

from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.formatting import with_signs
from gamesearch.errors import GamesearchError
from gamesearch.render.boards.svg import scaled_board
from gamesearch.render.exports.svg import choose_joins, image_of
from gamesearch.render.formats.svg import in_page
from gamesearch.render.pages import html_page
from gamesearch.render.trees.growth_page import Row, Rows, growth_data, growth_parts
from gamesearch.render.trees.picture import PLAIN, Style, TooLargeError, apply_style, picture_of
from gamesearch.render.trees.tree import KINDS as REMARKS
from gamesearch.support.escaping import xml_text
from gamesearch.trace.events import EVENTS
from gamesearch.trace.labels import relabel_moves
from gamesearch.trace.ranges import NodeRanges
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.phrases import method_words, narrowed_text
from gamesearch.trace.wording.sentences import sentence

__all__ = ["export", "page_data"]

KINDS = list(EVENTS)
MOST_BOARDS = 600
MOST_IN_GRAPH = 2_000
"""A page draws a tree as a graph only if it has at most this number of nodes. Larger graphs are unreadable and slow."""


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The page, or a worksheet if `blank` is true. Raises GamesearchError if the recording has no tree to show."""
    if not recording.nodes:
        raise GamesearchError("the trace contains no nodes, so it has no tree to show")
    is_grown = bool(recording.growth)
    style = choose_joins(recording, style)
    if is_grown and replace(style, widest=None, joins=False, boards=False, game=None) != PLAIN:
        raise GamesearchError(
            "options such as --windows and --moves do not apply to the page of a growing tree: "
            "name an .svg or .tex file instead"
        )
    if is_grown and blank:
        raise GamesearchError("a worksheet of a growing tree must be a picture, such as .svg; for a page, omit --blank")
    try:
        data = growth_data(recording) if is_grown else page_data(recording, blank, style)
        draws_tree = not is_grown or (style.boards and not style.joins)
        if is_grown and draws_tree:
            data["boards"] = draw_boards(recording, style)
        facts = {name: recording.header[name] for name in ("game", "position")}
        facts["algorithm"] = method_words(recording)
        facts |= growth_parts(recording) if is_grown else {}
    except GamesearchError:
        raise
    except (KeyError, TypeError, IndexError, ValueError, AttributeError):
        raise GamesearchError("the trace is damaged: a line lacks a field that the page needs") from None
    layers = (*(["tree_drawing"] if draws_tree else []), "growth_page" if is_grown else "tree_page")
    parts = {name: xml_text(text) for name, text in facts.items()} | {"graph": graph_of(recording, style)}
    return html_page(("replay", *layers), f"{facts['game']}: {facts['algorithm']}", data, parts)


def graph_of(recording: Recording, style: Style) -> str:
    """The drawing of a table of values as a graph. The drawing is empty if the search has no table of values, or if
    Graphviz is not installed. If there are too many nodes, the drawing is also empty. But if boards were requested,
    TooLargeError is raised instead."""
    if not style.joins:
        return ""
    if len(recording.nodes) > MOST_IN_GRAPH:
        if style.boards:
            raise TooLargeError(
                f"a page draws graphs of up to {MOST_IN_GRAPH:,} nodes, and this table has {len(recording.nodes):,}: "
                "draw a smaller part"
            )
        return ""
    image = image_of(picture_of(recording, style=replace(style, headings=False)))
    summary = "<summary>The positions, each drawn once</summary>"
    return f'<details id="drawing" open>{summary}<div id="picture">{in_page(image.text(), "graph")}</div></details>'


def page_data(recording: Recording, blank: bool = False, style: Style = PLAIN) -> dict[str, Any]:
    """The data of the page (see the docstring of the module)."""
    rows = EventRows(recording, blank, style)
    events = [row for number in range(len(rows.stepper.events)) if (row := rows.row(number)) is not None]
    return {
        "blank": blank,
        "sides": list(recording.sides),
        "kinds": KINDS,
        "boards": draw_boards(rows.whole, style) if style.boards else None,
        "pruned": rows.pruned_branches(),
        "moves": style.moves != "none",
        "notes": style.notes,
        "remarks": REMARKS,
        "windows": "none" if blank and style.windows == "ranges" else style.windows,
        "ranges": rows.ranges(),
        "texts": list(rows.texts),
        "events": events,
    }


def draw_boards(recording: Recording, style: Style) -> dict[int, tuple[float, float, str]]:
    """Draw the boards of all nodes. Raises TooLargeError if the tree has too many nodes."""
    if len(recording.nodes) > MOST_BOARDS:
        raise TooLargeError(
            f"a page draws up to {MOST_BOARDS} boards, and this tree has {len(recording.nodes):,} nodes: "
            "draw a smaller part"
        )
    boards = {}
    for node in picture_of(recording, style=Style(boards=True, game=style.game)).nodes():
        if node.board is not None:
            boards[int(node.name[1:])] = *node.size, scaled_board(node.board, node.size[0])
    return boards


class EventRows(Rows):
    """Makes the rows of the events. Some kinds of events have a method of the same name, which returns the contents of
    the row. For all other kinds, the row contains only the number of the node."""

    def __init__(self, recording: Recording, blank: bool, style: Style) -> None:
        super().__init__(relabel_moves(recording, style.moves), blank)
        self.style = style
        nodes = self.recording.nodes
        if blank:  # the sentences of a worksheet contain no windows
            nodes = {number: replace(node, window_shown="") for number, node in nodes.items()}
        self.stepper = Stepper(replace(self.recording, nodes=nodes))
        grafts = style.pruned and not blank
        self.whole = apply_style(recording, replace(style, pruned_plies=1)) if grafts else self.recording
        """The recording. If pruned branches are drawn, it also contains the first node of each pruned branch."""
        self.pruned = {(node.parent, node.move): node for node in self.whole.nodes.values() if node.is_pruned}
        """The keys contain the parent of a pruned branch and the first move of the branch. The values are the first
        nodes of the branches."""

    def ranges(self) -> dict[int, list[tuple[int, int | None]]]:
        """The keys are the events that change ranges. Each value lists the changed nodes and their new ranges."""
        if self.style.windows != "ranges" or self.blank:
            return {}
        changes = NodeRanges(self.recording).changes.items()
        return {at: [(node, self.number_text(text)) for node, text in changed] for at, changed in changes}

    def row(self, number: int) -> Row | None:
        """The row of an event; None for an event that a worksheet hides."""
        self.stepper.go(number)
        event, said = self.stepper.event, sentence(self.stepper)
        kind = event["event"]
        if self.blank and kind == "end":
            said = f"{said.partition(':')[0]}."
        elif self.blank and not (
            kind in ("iteration", "enter") or (kind == "leave" and not self.stepper.node.children)
        ):
            return None  # a worksheet shows the value of a node only if no child determines the value
        facts = getattr(self, kind)(event) if hasattr(self, kind) else [self.stepper.node.number]
        return [KINDS.index(kind), *facts, self.number_text(said)]

    def iteration(self, event: dict[str, Any]) -> Row:
        """The row for the beginning of an iteration. It contains the number of the root, or null if the root was not
        recorded."""
        return [self.recording.iteration(event["number"]).root]

    def best(self, event: dict[str, Any]) -> Row:
        """The row for a new best move: node, child, move, value, and the new window."""
        value, window = self.number_text(event["shown"]), self.number_text(narrowed_text(event))
        return [event["node"], event["child"], self.text(event["move"]), value, window]

    def cutoff(self, event: dict[str, Any]) -> Row:
        """The row for a cutoff: the node, and the pruned moves."""
        node = event["node"]
        return [node, [self.text(self.pruned_text(node, name)) for name in event["pruned"]]]

    def pruned_text(self, node: int, name: str) -> str:
        """The text for a pruned move: its label and, if pruned branches are drawn, its value."""
        value = with_signs(self.pruned[node, name].shown) if (node, name) in self.pruned else ""
        return " = ".join(filter(None, (name if self.style.moves != "none" else "", value)))

    def pruned_branches(self) -> dict[int, list[Row]]:
        """For each node, the rows of its pruned moves."""
        rows: dict[int, list[Row]] = {}
        for (parent, move), node in self.pruned.items():
            assert parent is not None
            row = [node.number, self.text(move), self.text(node.side), self.number_text(node.shown)]
            rows.setdefault(parent, []).append(row)
        return rows

    def leave(self, event: dict[str, Any]) -> Row:
        """The row for leaving a node: node, value, bound, kind, and the number of nodes of its subtree."""
        value = self.number_text(event["shown"])
        return [event["node"], value, self.text(event["bound"]), self.text(event["kind"]), event["nodes"]]
