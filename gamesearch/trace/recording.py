"""A trace read back: its events in order, and the tree that they tell of."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.trace.recorder import EVENTS, FORMAT, VERSION

__all__ = ["Iteration", "RecordedNode", "Recording", "load_recording", "read_recording", "recording_of"]

Number = int | float | list[int | float] | None
HEADER_FACTS = {"game", "position", "player", "algorithm", "players", "names"}
END_FACTS = {
    "nodes",
    "leaves",
    "cutoffs",
    "table_hits",
    "recorded",
    "left_out",
    "value",
    "shown",
    "bound",
    "best",
    "line",
}
"""What the first line and the last must say."""


KINDS_OF_FACTS: dict[str, tuple[type, ...]] = {
    "value": (int, float, list, NoneType),
    "window": (list, NoneType),
    "board": (list, NoneType),
    "pruned": (list, NoneType),
    "shown": (str, NoneType),
    "window_shown": (str, NoneType),
}
"""Of what type the facts of an event are; one that it has not is None."""


@dataclass(slots=True)
class RecordedNode:
    """A node as it was visited; all names are text."""

    number: int
    parent: int | None
    ply: int
    move: str | None
    """The move or outcome that led here; None at the root."""
    chance: float | None
    """The probability of the outcome that led here."""
    side: str
    """`Max`, `Min`, `chance`, `end`, or one of more players' names; in a league also `the others`."""
    window: list[float | int | None] | None
    """The window on entering, None for what is infinite; None for an algorithm without windows."""
    window_shown: str
    """The window as people read it."""
    position: str
    board: list[str]
    value: Number = None
    shown: str = ""
    """The value as people read it."""
    bound: str = "exact"
    """`exact`, `lower` (the value is at least this) or `upper` (at most)."""
    kind: str = "unfinished"
    """`searched`, `end`, `estimate`, `table`, `bounds`, `recurrence`, `stuck` (every move is forbidden);
    `unfinished` where the search was stopped."""
    nodes: int = 1
    """Nodes visited from here on down, itself included."""
    best: str | None = None
    best_child: int | None = None
    is_probe: bool = False
    is_cut: bool = False
    pruned: list[str] = field(default_factory=list)
    """The moves that a cutoff left out."""
    refuted: dict[str, Any] | None = None
    """At a cutoff: node, move and value of the ancestor whose choice made the rest useless."""
    children: list[int] = field(default_factory=list)
    first_event: int = 0
    last_event: int = -1
    """The numbers of the events that enter and leave it; -1 where it was not left."""

    def first_children(self, width: int | None) -> list[int]:
        """The first `width` children; the best is among them, be it instead of the last."""
        first = self.children[:width]
        if self.best_child in self.children and self.best_child not in first:
            first[-1] = self.best_child
        return first


@dataclass(slots=True)
class Iteration:
    """One search from the root."""

    number: int
    depth: int | None
    purpose: str
    again: bool
    root: int | None = None


@dataclass
class Recording:
    """Everything that a trace says."""

    header: dict[str, Any]
    events: list[dict[str, Any]]
    """All but the first line and the last."""
    nodes: dict[int, RecordedNode]
    iterations: list[Iteration]
    end: dict[str, Any]

    @property
    def root(self) -> RecordedNode | None:
        """The root of the last search for the value that is recorded whole; or finished; or begun, at least."""
        roots = [
            self.nodes[each.root] for each in self.iterations if each.root is not None and each.purpose == "search"
        ]
        finished = [root for root in roots if root.kind != "unfinished"]
        whole = [root for root in finished if sum(1 for _ in self.below(root.number)) == root.nodes]
        return (whole or finished or roots or [None])[-1]  # type: ignore[list-item]

    @property
    def sides(self) -> tuple[str, str]:
        """What Max and Min are called: in a search of one against a league, by their names."""
        names = self.header["names"]
        is_named = self.header["players"] == 2 and names[:1] == [self.header["player"]]
        return (names[0], names[1]) if is_named else ("Max", "Min")

    def role(self, side: str) -> str:
        """Max or Min for who is one of them, whatever the name; else the side as it is."""
        return ("Max", "Min")[self.sides.index(side)] if side in self.sides else side

    def path(self, number: int) -> list[RecordedNode]:
        """The nodes from the root down to a node."""
        found = [self.nodes[number]]
        while found[-1].parent is not None:
            found.append(self.nodes[found[-1].parent])
        return found[::-1]

    def below(self, root: int) -> Iterator[RecordedNode]:
        """A node and all recorded nodes below it, in the order in which they were visited."""
        waiting = [root]
        while waiting:
            node = self.nodes[waiting.pop()]
            yield node
            waiting += reversed(node.children)


def load_recording(path: str) -> Recording:
    """Read a trace from a file; raises GamesearchError where it is none, or not whole."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise GamesearchError(f"there is no file {path}") from None
    except OSError as error:
        raise GamesearchError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise GamesearchError(f"{path} is not a trace of gamesearch: it is not text") from None
    return read_recording(text, path)


def read_recording(text: str, name: str = "the trace") -> Recording:
    """The trace that a text is; raises GamesearchError where it is none, or not whole."""
    lines = text.splitlines()
    header = parsed(lines[0], 1, name) if lines else {}
    if header.get("event") != "search" or header.get("format") != FORMAT:
        raise GamesearchError(f"{name} is not a trace of gamesearch: write one with analyze --trace FILE")
    version = header.get("version")
    if not isinstance(version, int):
        raise GamesearchError(f"{name} is not a trace of gamesearch: its version is no number")
    if version > VERSION:
        raise GamesearchError(
            f"{name} is a trace of version {version}, and this gamesearch reads up to {VERSION}: update it"
        )
    events = [parsed(line, number, name) for number, line in enumerate(lines[1:], 2)]
    if not events or events[-1].get("event") != "end":
        raise GamesearchError(f"{name} is cut off: its last line is not the end of the search")
    for number, line, facts in ((1, header, HEADER_FACTS), (len(lines), events[-1], END_FACTS)):
        if not facts <= line.keys():
            raise GamesearchError(f"{name} is broken at line {number}")
    return recording_of(header, events[:-1], events[-1], name)


def recording_of(
    header: dict[str, Any], events: list[dict[str, Any]], end: dict[str, Any], name: str = "the trace"
) -> Recording:
    """The tree that events tell of."""
    recording = Recording(header, events, {}, [], end)
    for number, event in enumerate(events):
        try:
            take(recording, number, event)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise GamesearchError(f"{name} is broken at line {number + 2}") from None
    for node in reversed(recording.nodes.values()):
        if node.kind == "unfinished":
            node.nodes = 1 + sum(recording.nodes[child].nodes for child in node.children)
    return recording


def parsed(line: str, number: int, name: str) -> dict[str, Any]:
    """A line as what it says."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or event.get("event") not in EVENTS:
        what = (
            f"is not a trace of gamesearch: line {number} is no event" if number == 1 else f"is broken at line {number}"
        )
        raise GamesearchError(f"{name} {what}")
    return event


def take(recording: Recording, number: int, event: dict[str, Any]) -> None:
    """Take an event over into the tree."""
    nodes, kind = recording.nodes, event["event"]
    for name, kinds in KINDS_OF_FACTS.items():
        if not isinstance(event.get(name), kinds):
            raise TypeError(f"{name} is not of its kind")
    if kind == "iteration":
        recording.iterations.append(Iteration(event["number"], event["depth"], event["purpose"], event["again"]))
        return
    if kind == "enter":
        names = ("parent", "ply", "move", "chance", "side", "window", "window_shown", "position", "board")
        node = RecordedNode(number=event["node"], first_event=number, **{name: event[name] for name in names})
        if node.number in nodes:
            raise ValueError(f"node {node.number} is entered twice")
        nodes[node.number] = node
        if node.parent is None:
            recording.iterations[-1].root = node.number
        else:
            nodes[node.parent].children.append(node.number)
        return
    node = nodes[event["node"]]
    if kind == "probe":
        node.is_probe = True
    elif kind == "best":
        node.best, node.best_child = event["move"], event["child"]
    elif kind == "cutoff":
        node.is_cut, node.pruned, node.refuted = True, event["pruned"], event["refuted"]
    elif kind == "leave":
        node.value, node.shown, node.bound = event["value"], event["shown"], event["bound"]
        node.kind, node.nodes, node.last_event = event["kind"], event["nodes"], number
