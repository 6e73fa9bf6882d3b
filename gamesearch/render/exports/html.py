"""A recording as one HTML page that replays it: no network, no build step, nothing beside the file.

The page is the frame of all pages around replay.html, which is filled from tree_page.html, with the search as JSON. A
search of thousands of nodes must stay a small file, so each text is written once and called by its number, and of
a board only the lines that its parent's has not. What tree_page.js reads:

    texts    every name, window, value, line of a board and sentence, once
    kinds    the names of the events
    events   a row for each event, its kind first, then what `Rows` says
    blank    whether this is a worksheet
    sides    what Max and Min are called
    league   what several in league are called, with whom verbs are in the plural
    plurals  the plural of each verb

The page of a search by playouts has the same frame, and nodes with few of them are folded. What playout_page.js reads:

    texts               as above, and sides
    nodes               after how many playouts each was new, then what `Rows.enter` says
    playouts            for each, the last node that it counted for (or all of them, where these are no path of parents)
                        and what it paid (to each, from the root on, where that is not the same)
    proofs              after how many playouts, node, value
    least, greatest, signed   how payoffs are averaged and written
    result              the sentence that says what came of it

A worksheet has the tree, the boards, the values of its leaves, and the moves that were cut. Windows, other values
and the reasons of cutoffs are not hidden in it: they are not there.
"""

import html
import re
from collections.abc import Sequence
from typing import Any

from gamesearch.algorithms.parts.formatting import plural, probability_text
from gamesearch.algorithms.parts.reductions import LEAGUE
from gamesearch.errors import GamesearchError
from gamesearch.render.page import html_page
from gamesearch.trace.events import EVENTS
from gamesearch.trace.recording import Recording
from gamesearch.trace.words import BOUND_WORDS, PLURALS, does

__all__ = ["export", "page_data"]

Row = list[Any]
KINDS = list(EVENTS)
EMPTY_WINDOW = "[ ____ , ____ ]"


def export(recording: Recording, blank: bool = False) -> str:
    """The page; with `blank`, a worksheet to fill in. Raises GamesearchError where there is nothing to show."""
    if not recording.nodes:
        raise GamesearchError("the trace holds no nodes, so there is no tree to show")
    is_grown = recording.scale is not None
    if is_grown and blank:
        raise GamesearchError("a worksheet of playouts is a picture, such as .svg: leave out --blank for a page")
    try:
        data, header = playout_data(recording) if is_grown else page_data(recording, blank), recording.header
        facts = {"game": header["game"], "algorithm": header["algorithm"], "position": header["position"]}
    except (KeyError, TypeError, IndexError, ValueError, AttributeError):
        raise GamesearchError("the trace is broken: one of its lines lacks what a page shows") from None
    parts = {name: html.escape(text) for name, text in facts.items()}
    layers = ("replay", "playout_page") if is_grown else ("replay", "tree_drawing", "tree_page")
    return html_page(layers, f"{facts['game']}: {facts['algorithm']}", data, parts)


def page_data(recording: Recording, blank: bool = False) -> dict[str, Any]:
    """What the page knows of the search, as the module's docstring says."""
    rows = Rows(recording, blank)
    events = [row for event in recording.events if (row := rows.row(event)) is not None]
    events.append(rows.end())
    return {
        "blank": blank,
        "sides": list(recording.sides),
        "league": LEAGUE,
        "plurals": PLURALS,
        "kinds": KINDS,
        "texts": list(rows.texts),
        "events": events,
    }


def playout_data(recording: Recording) -> dict[str, Any]:
    """What the page of a search by playouts knows, as the module's docstring says."""
    rows, nodes, playouts, proofs = Rows(recording, blank=False), list[Row](), list[Row](), list[Row]()
    for event in recording.events:
        if event["event"] == "enter":
            nodes.append([len(playouts), *rows.enter(event)])
        elif event["event"] == "count":
            playouts.append(counted(recording, event))
        elif event["event"] == "proven" and event["lower"] == event["upper"]:
            proofs.append([len(playouts), event["node"], rows.number_text(event["shown"])])
    scale, sentence = recording.scale, recording.end["stopped"] and "The search was stopped"
    assert scale is not None
    result = f"{sentence or 'The search is over'}: {result_text(recording.end)}."
    if recording.end["left_out"]:
        result += f" {plural(recording.end['left_out'], 'node')} not written down."
    texts = {"texts": list(rows.texts), "sides": list(recording.sides), "result": result}
    return {**texts, "nodes": nodes, "playouts": playouts, "proofs": proofs, **scale._asdict()}


def counted(recording: Recording, event: dict[str, Any]) -> Row:
    """The nodes that a playout counted for, and what it paid them; one for all, where that is enough."""
    path, values = event["path"], event["values"]
    is_plain = path == [node.number for node in recording.path(path[-1])]
    is_same = is_plain and all(value == values[0] for value in values)
    return [path[-1] if is_plain else path, values[:1] if is_same else values]


class Rows:
    """The rows of the events; whatever is text is its number in `texts`."""

    def __init__(self, recording: Recording, blank: bool) -> None:
        self.recording, self.blank = recording, blank
        self.texts: dict[str, int] = {}
        self.best_shown: dict[int, str] = {}

    def text(self, text: str | None) -> int | None:
        """The number of a text."""
        return None if text is None else self.texts.setdefault(text, len(self.texts))

    def number_text(self, text: str) -> int | None:
        """The number of a value or window."""
        return self.text(with_signs(text))

    def row(self, event: dict[str, Any]) -> Row | None:
        """The row of an event; None for one that a worksheet must not tell."""
        kind = event["event"]
        if self.blank and kind not in ("iteration", "enter") and not (kind == "leave" and self.is_given(event["node"])):
            return None
        facts = getattr(self, kind)(event) if hasattr(self, kind) else [event["node"]]
        return [KINDS.index(kind), *facts]

    def is_given(self, number: int) -> bool:
        """Whether a worksheet shows a node's value: it has no nodes below that would give it."""
        return not self.recording.nodes[number].children

    def iteration(self, event: dict[str, Any]) -> Row:
        """Its root, null where that is not recorded, and the sentence that says what is searched."""
        depth = "to the end of the game" if event["depth"] is None else f"to depth {event['depth']}"
        sentence = f"The root is searched {depth}{', once more' if event['again'] else ''}."
        if event["purpose"] == "distance":
            sentence = "The value is known; a second search asks how soon it comes about."
        return [self.recording.iterations[event["number"]].root, self.text(sentence)]

    def enter(self, event: dict[str, Any]) -> Row:
        """Node, parent, move, side, probability, window, board and position (see `changes`).

        In a worksheet also the moves that were cut.
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
        """How many lines there are, then place and text of each that is not as before."""
        row: list[int | None] = [len(lines)]
        for place, line in enumerate(lines):
            if place >= len(before) or before[place] != line:
                row += [place, self.text(line)]
        return row

    def best(self, event: dict[str, Any]) -> Row:
        """Node, child, move, value, window after it."""
        self.best_shown[event["node"]] = with_signs(event["shown"])
        value, window = self.number_text(event["shown"]), self.number_text(event["window_shown"])
        return [event["node"], event["child"], self.text(event["move"]), value, window]

    def cutoff(self, event: dict[str, Any]) -> Row:
        """Node, the moves cut, and why."""
        return [event["node"], [self.text(name) for name in event["pruned"]], self.text(self.reason(event))]

    def leave(self, event: dict[str, Any]) -> Row:
        """Node, value, bound, kind, nodes from here on down."""
        value = self.number_text(event["shown"])
        return [event["node"], value, self.text(event["bound"]), self.text(event["kind"]), event["nodes"]]

    def reason(self, event: dict[str, Any]) -> str:
        """Why nothing else matters at a node, in one sentence."""
        node, refuted = self.recording.nodes[event["node"]], event["refuted"]
        window = with_signs(node.window_shown)
        noun = "outcome" if node.side == "chance" else "move"
        pruned = len(event["pruned"])
        cut = f"{plural(pruned, noun)} cut" if pruned else f"Cut at its last {noun}"
        if node.side == "chance":
            whatever = "whatever else comes, " if pruned else ""
            return f"{cut}: {whatever}the mean stays outside the window {window}"
        value = self.best_shown[node.number]
        if refuted is None:
            return f"{cut}: {does(node.side, 'already has')} {value}, outside the window {window}"
        more = "more" if self.recording.role(node.side) == "Max" else "less"
        path = self.recording.path(node.number)
        above = [each.number for each in path].index(refuted["node"])
        line = " ".join(str(each.move) for each in path[above + 1 :])
        return (
            f"{cut}: {does(path[above].side, 'already has')} {with_signs(refuted['shown'])} by {refuted['move']}, "
            f"{does(node.side, 'holds')} {line} at {value} or {more}"
        )

    def end(self) -> Row:
        """The root to look at when all is over, and the sentence that says what came of it."""
        end, root = self.recording.end, self.recording.root or next(iter(self.recording.nodes.values()))
        sentence = "The search was stopped" if end["stopped"] else "The search is over"
        if not self.blank:
            sentence += f": {result_text(end)} ({plural(end['nodes'], 'node')}, {plural(end['cutoffs'], 'cutoff')})"
        if end["left_out"]:
            sentence += f"; {plural(end['left_out'], 'node')} not written down"
        return [KINDS.index("end"), root.number, self.text(sentence + ".")]


def with_signs(text: str) -> str:
    """A value or a window with the signs of mathematics."""
    return text.replace("inf", "∞").replace("-", "−")


def pieces(position: str) -> list[str]:
    """A position's text in pieces, of which a move leaves most as they are: rows, and eights of what has no rows.

    >>> pieces("XX./OO./..."), pieces("....XO..OX.... X")
    (['XX./', 'OO./', '...'], ['....XO..', 'OX.... X'])
    """
    return re.findall("[^/]{0,8}/|[^/]{1,8}", position)


def result_text(end: dict[str, Any]) -> str:
    """The value and the best move, as far as the search found them."""
    value = "unknown" if end["value"] is None else BOUND_WORDS[end["bound"]] + with_signs(end["shown"])
    return f"the value is {value}" + ("" if end["best"] is None else f", the best move {end['best']}")
