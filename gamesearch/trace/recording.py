"""A recorded search: its events in order, and the tree that they build.

An observer builds it while the search runs (`recorder`); `reading` builds the same from a file.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from gamesearch.support.escaping import json_text
from gamesearch.support.html_repr import HtmlRepr
from gamesearch.trace.events import GROWING, PLAYOUTS, PROOFS
from gamesearch.trace.node_values import (
    NONE,
    Number,
    Scale,
    Standing,
    Tally,
    answer_of,
    cost_standing,
    standing_in,
    until,
)

__all__ = ["Iteration", "Number", "RecordedNode", "Recording", "WrittenRecording"]


@dataclass(slots=True)
class RecordedNode:
    """A node as it was visited; all names are text."""

    number: int
    """How many nodes were visited before it."""
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
    purpose: str = ""
    """What a selective search searches it for, one of `trace.purposes.PURPOSES`."""
    value: Number = None
    shown: str = ""
    """The value as people read it."""
    bound: str = "exact"
    """`exact`, `lower` (the value is at least this), `upper` (at most), or `estimate`, an average of playouts."""
    kind: str = "unfinished"
    """`searched`, `end`, `estimate`, `table`, `bounds`, `database`, `recurrence`, `stuck` (every move is forbidden),
    `passed` (a null move was enough), `predicted` (by a shallow search), `playouts`, `proven` (by the growing tree),
    `disproven`, `leaf` (of proof numbers, not expanded); `unfinished` where the search was stopped."""
    nodes: int = 1
    """Nodes visited from here on down, itself included."""
    best: str | None = None
    best_child: int | None = None
    is_expanded: bool = False
    """Whether it is a leaf of a growing tree no more."""
    is_probe: bool = False
    """Whether only its first move was wanted (Ballard's Star2)."""
    is_cut: bool = False
    pruned: list[str] = field(default_factory=list)
    """The moves that a cutoff left out."""
    left_out: dict[str, list[str]] = field(default_factory=dict)
    """The moves that a selective search left out, by why: one of `trace.purposes.LEFT_OUT`."""
    refuted: dict[str, Any] | None = None
    """At a cutoff: node, move and value of the ancestor whose choice made the rest useless."""
    children: list[int] = field(default_factory=list)
    """The numbers of its children, a probe and a search of the same move being two."""
    first_event: int = 0
    last_event: int = -1
    """The numbers of the events that enter and leave it; -1 where it was not left."""
    tallies: list[Tally] = field(default_factory=list)
    """In a search by playouts, what those through it paid, up to each of them."""
    standings: list[Standing] = field(default_factory=list)
    """In one that expands leaves, what it was worth from each change on."""
    same: int | None = None
    """The number of the node that has the same position, where the search takes both for one; it has the children."""
    interval: tuple[float, float] | None = None
    """Where the expected payoff is with 95 % confidence."""
    interval_shown: str = ""
    """How sure the value is, as people read it: that interval, or of beliefs their deviation."""

    @property
    def visits(self) -> int:
        """How many playouts went through it."""
        return self.tallies[-1].visits if self.tallies else 0

    def first_children(self, width: int | None) -> list[int]:
        """The first `width` children; the best is among them, be it instead of the last."""
        first = self.children[:width]
        if self.best_child in self.children and self.best_child not in first:
            return [*first[:-1], self.best_child]
        return first


@dataclass(slots=True)
class Iteration:
    """One search from the root; there are several with iterative deepening or null windows."""

    number: int
    depth: int | None
    """None for a search to the end of the game."""
    purpose: str
    """`search` for the value, `distance` for how soon the game is won, or one of `trace.purposes.GROWING`."""
    again: bool
    """Whether the root was searched to this depth before."""
    root: int | None = None
    """None where no node of it is written down."""
    goal_shown: str = ""
    """The payoff that Max gets if the proof succeeds, as people read it."""
    attacker: str = ""
    """Max or Min, who has to make progress in a proof on a graph; else empty."""


@dataclass
class Recording(HtmlRepr):
    """Everything that is known of a search."""

    header: dict[str, Any]
    """What was searched, and how."""
    events: list[dict[str, Any]] = field(default_factory=list)
    """What happened, in its order; none where only the tree near the root was wanted."""
    nodes: dict[int, RecordedNode] = field(default_factory=dict)
    iterations: list[Iteration] = field(default_factory=list)
    end: dict[str, Any] = field(default_factory=dict)
    """What came of it."""
    reached: int = 0
    """How many nodes had been visited when one could be written down for the last time."""
    scale: Scale | None = None
    """How payoffs are told in a search whose tree grows by playouts or for values; None for others."""

    # Building it. --------------------------------------------------------------------------------
    def take(self, event: dict[str, Any]) -> None:
        """Add what happened next; raises KeyError, TypeError or ValueError for an event that cannot be."""
        self.events.append(event)
        self.grow(event, len(self.events) - 1)

    def grow(self, event: dict[str, Any], number: int = 0) -> None:
        """Take an event over into the tree."""
        match event["event"]:
            case "iteration":
                self.begin(event)
            case "enter":
                self.enter(event, number)
            case kind:
                self.change(kind, event, self.nodes[event["node"]], number)

    def change(self, kind: str, event: dict[str, Any], node: RecordedNode, number: int) -> None:
        """Take over what an event tells of a node that is there, or of several."""
        match kind:
            case "probe":
                node.is_probe = True
            case "best":
                node.best, node.best_child = event["move"], event["child"]
            case "cutoff":
                node.is_cut, node.pruned, node.refuted = True, event["pruned"], event["refuted"]
            case "left_out":
                node.left_out.setdefault(event["why"], []).append(event["move"])
            case "expand":
                node.is_expanded = True
            case "leave":
                node.value, node.shown, node.bound = event["value"], event["shown"], event["bound"]
                node.kind, node.nodes, node.last_event = event["kind"], event["nodes"], number
            case "revalue":
                for each in (node, *(self.nodes[same] for same in event.get("same", ()))):
                    each.standings.append(standing_in(event, number))
            case "proven" if event["lower"] == event["upper"]:
                node.standings.append(Standing(number, event["lower"], event["shown"], "exact"))
            case "count" | "rescale" | "settle" | "chances":
                for each, values in zip(event["path"], event["values"], strict=True):
                    self.change_one(kind, self.nodes[each], values, number)

    def change_one(self, kind: str, node: RecordedNode, found: Any, number: int) -> None:
        """Take over what an event of several nodes says of one of them."""
        match kind:
            case "count":
                node.tallies.append((node.tallies or [NONE])[-1].after(number, found))
            case "rescale":
                if self.scale is None:
                    raise ValueError("there is no scale for beliefs")
                mean, deviation = found
                node.standings.append(Standing(number, mean, self.scale.shown(mean), "estimate", deviation))
            case "settle":
                (cost,) = found
                node.standings.append(cost_standing(cost, number))
            case "chances":
                node.standings.append(node.standings[-1]._replace(event=number, share=found))

    def begin(self, event: dict[str, Any]) -> None:
        """Add an iteration."""
        facts = {name: event[name] for name in ("number", "depth", "purpose", "again")}
        facts |= {name: str(event.get(name, "")) for name in ("goal_shown", "attacker")}
        self.iterations.append(Iteration(**facts))
        if event["purpose"] in GROWING and event["purpose"] not in PROOFS:
            self.scale = Scale(event["least"], event["greatest"], event["signed"])

    def enter(self, event: dict[str, Any], number: int) -> None:
        """Add a node to the tree."""
        names = ("parent", "ply", "move", "chance", "side", "window", "window_shown", "position", "board")
        facts = {name: event[name] for name in names} | {"purpose": str(event.get("purpose", ""))}
        node = RecordedNode(number=event["node"], first_event=number, same=event.get("same"), **facts)
        if "value" in event:
            node.standings.append(standing_in(event, number))
        if node.number in self.nodes:
            raise ValueError(f"node {node.number} is entered twice")
        self.nodes[node.number] = node
        self.reached = node.number + 1
        if node.parent is None:
            self.iterations[-1].root = node.number
        else:
            self.nodes[node.parent].children.append(node.number)

    def close(self, end: dict[str, Any]) -> None:
        """Add what came of the search, and count the nodes below those that it did not finish."""
        self.end = end
        for node in reversed(self.nodes.values()):
            if node.kind == "unfinished" or node.tallies or node.standings:
                node.nodes = max(node.nodes, 1 + sum(child.nodes for child in self.children(node)))
                self.settle(node)

    def settle(self, node: RecordedNode) -> None:
        """Write into a node of a growing tree what it was worth at last, and how that was found."""
        last = self.standing(node, math.inf)
        if last is None:
            return
        node.value, node.shown, node.bound = last.value, last.shown, last.bound
        node.interval, node.interval_shown = last.interval, last.beside
        if node.side == "end":
            node.kind = "end"
        elif self.growth in PROOFS:
            node.kind = self.kind_by_proof(node, last)
        elif last.bound == "exact":
            node.kind = "proven"
        elif node.tallies:
            node.kind = "playouts"
        else:
            node.kind = "searched" if node.is_expanded else "estimate"

    def standing(self, node: RecordedNode, moment: float) -> Standing | None:
        """What a node of a growing tree was worth when an event had happened; None before it was worth anything."""
        known, paid = until(node.standings, moment), until(node.tallies, moment)
        if known is None and paid is not None and self.scale is not None:
            return self.scale.standing(paid, is_end=node.side == "end")
        return known

    def kind_by_proof(self, node: RecordedNode, last: Standing) -> str:
        """How a node was left by its last proof numbers, or its last cost."""
        root = self.path(node.number)[0].number
        attacker = next(each.attacker for each in self.iterations if each.root == root)
        kinds = {True: "proven", False: "disproven", None: "searched" if node.is_expanded else "leaf"}
        return kinds[answer_of(last.value, attacker)]

    @property
    def text(self) -> str:
        """All of it as a file holds it, a line of JSON for each event."""
        return "".join(json_text(line) + "\n" for line in (self.header, *self.events, self.end))

    @property
    def recorded(self) -> int:
        """How many nodes are recorded."""
        return len(self.nodes)

    # Reading it. ---------------------------------------------------------------------------------
    @property
    def growth(self) -> str:
        """By what the tree grows, if the search keeps one: one of `trace.purposes.GROWING`; else empty."""
        purpose = self.iterations[-1].purpose if self.iterations else ""
        return purpose if purpose in GROWING else ""

    @property
    def expansions(self) -> int:
        """How many leaves were expanded."""
        return int(self.end.get("expansions", 0))

    @property
    def is_played_out(self) -> bool:
        """Whether it is a search by playouts."""
        return self.growth == PLAYOUTS

    def iteration(self, number: int) -> Iteration:
        """The iteration of a number; of a part of a recording, not all are there."""
        return next(each for each in self.iterations if each.number == number)

    @property
    def searches(self) -> list[Iteration]:
        """The iterations that searched for the value, not for how soon it comes about."""
        return [each for each in self.iterations if each.purpose != "distance"]

    @property
    def root(self) -> RecordedNode | None:
        """The root of the last search for the value that is recorded whole; or finished; or begun, at least."""
        roots = [self.nodes[each.root] for each in self.searches if each.root is not None]
        finished = [root for root in roots if root.kind != "unfinished"]
        whole = [root for root in finished if root.number + root.nodes <= self.reached]
        return (whole or finished or roots or [None])[-1]  # type: ignore[list-item]

    @property
    def payoff_count(self) -> int:
        """The length of a value: 1 if it is only Max's, else the number of players."""
        players = int(self.header["players"])
        return players if players > 2 or not self.header.get("zero_sum", True) else 1

    @property
    def sides(self) -> tuple[str, str]:
        """What Max and Min are called: in a search of one against a league, by their names."""
        names = self.header["names"]
        is_named = self.payoff_count == 1 and names[:1] == [self.header["player"]]
        return (names[0], names[1]) if is_named else ("Max", "Min")

    def role(self, side: str) -> str:
        """Max or Min for who is one of them, whatever the name; else the side as it is."""
        return ("Max", "Min")[self.sides.index(side)] if side in self.sides else side

    def children(self, node: RecordedNode, width: int | None = None) -> list[RecordedNode]:
        """The children of a node, the first `width` and the best (see `first_children`); of a node that playouts went
        through, those with the most come first."""
        numbers = self.order(node)[:width] if node.tallies else node.first_children(width)
        return [self.nodes[number] for number in numbers if number in self.nodes]

    def order(self, node: RecordedNode) -> list[int]:
        """The numbers of a node's children in the order in which they are drawn."""
        if not node.tallies:
            return node.children
        return sorted(node.children, key=lambda number: -self.nodes[number].visits)

    def hidden_nodes(self, node: RecordedNode, width: int | None = None) -> int:
        """How many nodes below a node are neither its first `width` children nor below these."""
        return node.nodes - 1 - sum(child.nodes for child in self.children(node, width))

    def path(self, number: int) -> list[RecordedNode]:
        """The nodes from the root down to a node."""
        found = [self.nodes[number]]
        while found[-1].parent is not None:
            found.append(self.nodes[found[-1].parent])
        return found[::-1]

    def below(self, root: int) -> Iterator[RecordedNode]:
        """A node and all recorded nodes below it, in the order in which they were visited."""
        waiting = [self.nodes[root]]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(self.children(node))


class WrittenRecording(Recording):
    """Writes each event to a file, one line of JSON each.

    It keeps the iterations and, if the search keeps its tree, the nodes with their present values: these decide which
    events come later.
    """

    def __init__(self, header: dict[str, Any], file: IO[bytes]) -> None:
        super().__init__(header)
        self.file = file
        self.written = self.entered = 0
        """How many events were written, and how many of them enter a node."""
        self.write(header)

    @property
    def recorded(self) -> int:
        """How many nodes are recorded."""
        return self.entered

    def write(self, event: dict[str, Any]) -> None:
        """Write a line."""
        self.file.write(json_text(event).encode() + b"\n")

    def take(self, event: dict[str, Any]) -> None:
        """Write what happened next."""
        self.write(event)
        self.entered += event["event"] == "enter"
        if event["event"] == "iteration":
            self.begin(event)
        elif self.growth:
            self.grow(event, self.written)
            self.forget(event)
        self.written += 1

    def forget(self, event: dict[str, Any]) -> None:
        """Drop what later events do not depend on: boards, and what nodes were worth before."""
        others = event["same"] if event["event"] == "revalue" and "same" in event else event.get("path", ())
        for number in (event["node"], *others):
            node = self.nodes[number]
            node.board, node.position = [], ""
            del node.tallies[:-1], node.standings[:-1]

    def close(self, end: dict[str, Any]) -> None:
        """Write what came of the search."""
        self.end = end
        self.write(end)
