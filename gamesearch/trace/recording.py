"""A recorded search: its events in order, and the tree that follows from the events.

The package `recorder` builds a recording while the search runs; the module `reading` builds it from a file.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from gamesearch.algorithms.engine.result import HtmlRepr
from gamesearch.support.escaping import json_text
from gamesearch.trace.events import GROWING, PLAYOUTS, PROOFS, TABLE
from gamesearch.trace.node_values import (
    NO_PLAYOUTS,
    NodeValue,
    Number,
    PayoffScale,
    PlayoutTotals,
    answer_of,
    cost_value,
    latest,
    value_in,
)

__all__ = ["Iteration", "Number", "RecordedNode", "Recording", "WrittenRecording"]


@dataclass(slots=True)
class RecordedNode:
    """A node of the recorded tree. Moves and players are stored as names."""

    number: int
    """The number of nodes visited before this node."""
    parent: int | None
    ply: int
    move: str | None
    """The move or outcome that leads to this node; None at the root."""
    chance: float | None
    """The probability of the outcome that leads to this node."""
    side: str
    """The side to move: `Max`, `Min`, `chance` or `end`. In games for more than two players, the name of a player; in
    paranoid search also `the others`."""
    window: list[float | int | None] | None
    """The window when the search entered the node. In the list, None stands for infinity. If the algorithm has no
    windows, there is no list."""
    window_shown: str
    """The window as text."""
    position: str
    board: list[str]
    purpose: str = ""
    """Why a selective search searches this node: one of `trace.events.PURPOSES`."""
    value: Number = None
    shown: str = ""
    """The value as text."""
    bound: str = "exact"
    """`exact`, `lower` (the true value is at least `value`), `upper` (the true value is at most `value`), or `estimate`
    (for example an average of playouts)."""
    kind: str = "unfinished"
    """How the node got its value: `searched`, `end`, `estimate`, `table`, `bounds`, `database`, `repetition`, `stuck`
    (every move is forbidden), `passed` (a null move caused a cutoff), `predicted` (the estimate or a shallow search
    caused a cutoff), `playouts`, `proven` (by the growing tree), `disproven`, or `leaf` (a leaf with proof numbers that
    was not expanded). The kind is `unfinished` if the search was stopped before it left the node."""
    nodes: int = 1
    """The number of nodes visited in the subtree of this node, including this node."""
    best: str | None = None
    best_child: int | None = None
    is_expanded: bool = False
    """Whether the search has expanded this node of a growing tree."""
    is_probe: bool = False
    """Whether only the first move was searched (Ballard's Star2)."""
    is_cut: bool = False
    pruned: list[str] = field(default_factory=list)
    """The moves that a cutoff left out."""
    left_out: dict[str, list[str]] = field(default_factory=dict)
    """The moves that a selective search left out. The keys are the reasons, from `trace.events.LEFT_OUT`."""
    refuted: dict[str, Any] | None = None
    """The better move of an ancestor that caused a cutoff at this node: the ancestor's number (`node`), the move and
    its value. Otherwise None."""
    children: list[int] = field(default_factory=list)
    """The numbers of the children. A probe and a later search of the same move count as two children."""
    first_event: int = 0
    last_event: int = -1
    """The numbers of the events that enter and leave this node; `last_event` is -1 if the node was not left."""
    playout_history: list[PlayoutTotals] = field(default_factory=list)
    """The totals of the playouts through this node, after each playout. Empty unless the search plays out games."""
    value_history: list[NodeValue] = field(default_factory=list)
    """The values of the node: one after each change. Empty unless the search expands leaves."""
    same: int | None = None
    """Several recorded nodes can stand for one node of the search. Only the first of them has children. In the others,
    `same` is the number of the first. Otherwise, `same` is None."""
    dropped_at: int | None = None
    """The number of the event that removed this node's value from a table of values; None if the value was kept."""
    interval: tuple[float, float] | None = None
    """The 95 % confidence interval of the expected payoff; None unless the value is an average of playouts."""
    interval_shown: str = ""
    """The certainty of the value as text: the interval, or the deviation of a belief."""
    given: str = ""
    """The estimate that a user wrote at this node of a tree, as text; otherwise empty."""
    is_assumed: bool = False
    """Whether the value depends on an unknown payoff in a user's tree, so that the search had to assume this payoff."""
    is_pruned: bool = False
    """Whether `trace.pruned` added this node, which the search did not visit."""

    @property
    def visits(self) -> int:
        """The number of playouts through this node."""
        return self.playout_history[-1].visits if self.playout_history else 0

    def first_children(self, width: int | None) -> list[int]:
        """The first `width` children. If they do not include the best child, the best child replaces the last of
        them."""
        first = self.children[:width]
        if self.best_child in self.children and self.best_child not in first:
            return [*first[:-1], self.best_child]
        return first


@dataclass(slots=True)
class Iteration:
    """One search from the root. Iterative deepening and null windows search from the root several times."""

    number: int
    depth: int | None
    """The depth in plies; None for a search to the end of the game."""
    purpose: str
    """`search` finds the value, and `distance` finds the distance of a win. The other purposes are listed in
    `trace.events.GROWING`."""
    again: bool
    """Whether an earlier iteration with the same purpose searched the root to this depth."""
    root: int | None = None
    """The number of the root; None if no node was recorded."""
    goal_shown: str = ""
    """The payoff that Max gets if the proof succeeds, as text. Empty if the search is not a proof."""
    attacker: str = ""
    """The side (`Max` or `Min`) that attacks in a proof on a graph. Endless play counts against the attacker. Empty for
    other searches."""


@dataclass
class Recording(HtmlRepr):
    """A recorded search: its events, its tree and its result."""

    header: dict[str, Any]
    """The first line of a trace, which describes the search."""
    events: list[dict[str, Any]] = field(default_factory=list)
    """All events in order; empty if only the tree near the root was recorded."""
    nodes: dict[int, RecordedNode] = field(default_factory=dict)
    iterations: list[Iteration] = field(default_factory=list)
    end: dict[str, Any] = field(default_factory=dict)
    """The last line of a trace: the result and the counts."""
    reached: int = 0
    """The number of nodes that had been visited when the last node was recorded."""
    scale: PayoffScale | None = None
    """The scale of payoffs. None if the search is depth-first or computes a proof."""

    # Building it. --------------------------------------------------------------------------------
    def take(self, event: dict[str, Any]) -> None:
        """Add the next event. Raises KeyError, TypeError or ValueError if the event is impossible."""
        self.events.append(event)
        self.grow(event, len(self.events) - 1)

    def grow(self, event: dict[str, Any], number: int = 0) -> None:
        """Apply an event to the tree."""
        match event["event"]:
            case "iteration":
                self.begin(event)
            case "enter":
                self.enter(event, number)
            case kind:
                self.change(kind, event, self.nodes[event["node"]], number)

    def change(self, kind: str, event: dict[str, Any], node: RecordedNode, number: int) -> None:
        """Apply an event to one or several existing nodes."""
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
                    each.value_history.append(value_in(event, number))
            case "proven" if event["lower"] == event["upper"]:
                node.value_history.append(NodeValue(number, event["lower"], event["shown"], "exact"))
            case "drop":
                for each in event["path"]:
                    self.nodes[each].dropped_at = number
            case "count" | "rescale" | "settle" | "chances":
                for each, values in zip(event["path"], event["values"], strict=True):
                    self.change_one(kind, self.nodes[each], values, number)

    def change_one(self, kind: str, node: RecordedNode, found: Any, number: int) -> None:
        """Apply an event about several nodes to one of these nodes. `found` is the part of the event that
        concerns this node."""
        match kind:
            case "count":
                node.playout_history.append((node.playout_history or [NO_PLAYOUTS])[-1].after(number, found))
            case "rescale":
                if self.scale is None:
                    raise ValueError("the scale of beliefs is missing")
                mean, deviation = found
                shown = self.scale.format_payoff(mean) + "?" * node.is_assumed
                node.value_history.append(NodeValue(number, mean, shown, "estimate", deviation))
            case "settle":
                (cost,) = found
                node.value_history.append(cost_value(cost, number))
            case "chances":
                node.value_history.append(node.value_history[-1]._replace(event=number, share=found))

    def begin(self, event: dict[str, Any]) -> None:
        """Add an iteration."""
        facts = {name: event[name] for name in ("number", "depth", "purpose", "again")}
        facts |= {name: str(event.get(name, "")) for name in ("goal_shown", "attacker")}
        self.iterations.append(Iteration(**facts))
        if event["purpose"] in GROWING and event["purpose"] not in PROOFS:
            self.scale = PayoffScale(event["least"], event["greatest"], event["signed"])

    def enter(self, event: dict[str, Any], number: int) -> None:
        """Add a node to the tree."""
        names = ("parent", "ply", "move", "chance", "side", "window", "window_shown", "position", "board")
        facts = {name: event[name] for name in names}
        facts |= {name: str(event.get(name, "")) for name in ("purpose", "given")}
        facts |= {"same": event.get("same"), "is_assumed": bool(event.get("assumed"))}
        node = RecordedNode(number=event["node"], first_event=number, **facts)
        if "value" in event:
            node.value_history.append(value_in(event, number))
        if node.number in self.nodes:
            raise ValueError(f"node {node.number} is entered twice")
        self.nodes[node.number] = node
        self.reached = node.number + 1
        if node.parent is None:
            self.iterations[-1].root = node.number
        else:
            self.nodes[node.parent].children.append(node.number)

    def close(self, end: dict[str, Any]) -> None:
        """Add the result of the search, and count the nodes below each node that the search did not finish."""
        self.end = end
        for node in reversed(self.nodes.values()):
            if node.kind == "unfinished" or node.playout_history or node.value_history:
                node.nodes = max(node.nodes, 1 + sum(child.nodes for child in self.children(node)))
                self.settle(node)

    def settle(self, node: RecordedNode) -> None:
        """Set the value of a node of a growing tree to its last value, and set its kind, which states how the value was
        found."""
        last = self.value_at(node, math.inf)
        if last is None:
            return
        node.value, node.shown, node.bound = last.value, last.shown, last.bound
        node.interval, node.interval_shown = last.interval, last.certainty
        if node.side == "end":
            node.kind = "end"
        elif self.growth in PROOFS:
            node.kind = self.kind_by_proof(node, last)
        elif self.growth == TABLE:
            node.kind = "searched" if node.is_expanded else "table"
        elif last.bound == "exact":
            node.kind = "proven"
        elif node.playout_history:
            node.kind = "playouts"
        else:
            node.kind = "searched" if node.is_expanded else "estimate"

    def value_at(self, node: RecordedNode, moment: float) -> NodeValue | None:
        """The value of a node of a growing tree after the event `moment`; None if the node had no value yet."""
        known, paid = latest(node.value_history, moment), latest(node.playout_history, moment)
        if known is None and paid is not None and self.scale is not None:
            found = self.scale.average(paid, is_end=node.side == "end")
            return found._replace(shown=f"{found.shown}?", bound="estimate") if node.is_assumed else found
        return known

    def kind_by_proof(self, node: RecordedNode, last: NodeValue) -> str:
        """Find the kind of a node. It follows from the last proof numbers or the last cost of the node."""
        root = self.path(node.number)[0].number
        attacker = next(each.attacker for each in self.iterations if each.root == root)
        kinds = {True: "proven", False: "disproven", None: "searched" if node.is_expanded else "leaf"}
        return kinds[answer_of(last.value, attacker)]

    @property
    def text(self) -> str:
        """The text of a trace file: a line of JSON for each event."""
        return "".join(json_text(line) + "\n" for line in (self.header, *self.events, self.end))

    @property
    def recorded(self) -> int:
        """The number of recorded nodes."""
        return len(self.nodes)

    # Reading it. ---------------------------------------------------------------------------------
    @property
    def growth(self) -> str:
        """How the search grows its tree: one of `trace.events.GROWING`; empty if the search does not keep a tree."""
        purpose = self.iterations[-1].purpose if self.iterations else ""
        return purpose if purpose in GROWING else ""

    @property
    def expansions(self) -> int:
        """The number of expanded leaves."""
        return int(self.end.get("expansions", 0))

    @property
    def is_played_out(self) -> bool:
        """Whether the tree grew by playouts."""
        return self.growth == PLAYOUTS

    def iteration(self, number: int) -> Iteration:
        """Find an iteration by its number. The number is not an index, because a part of a recording may lack some
        iterations."""
        return next(each for each in self.iterations if each.number == number)

    @property
    def searches(self) -> list[Iteration]:
        """The iterations that looked for the value, without the iterations that looked for the length of a win."""
        return [each for each in self.iterations if each.purpose != "distance"]

    @property
    def root(self) -> RecordedNode | None:
        """The root of the last completely recorded search; searches for the length of a win do not count. If no search
        is completely recorded, the result is the root of the last finished search."""
        roots = [self.nodes[each.root] for each in self.searches if each.root is not None]
        finished = [root for root in roots if root.kind != "unfinished"]
        whole = [root for root in finished if root.number + root.nodes <= self.reached]
        return (whole or finished or roots or [None])[-1]  # type: ignore[list-item]

    @property
    def payoff_count(self) -> int:
        """The number of payoffs in a value: 1 if values are only for Max, otherwise the number of players."""
        players = int(self.header["players"])
        return players if players > 2 or not self.header.get("zero_sum", True) else 1

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two sides: Max and Min, or a player and the coalition of all others."""
        names = self.header["names"]
        is_named = self.payoff_count == 1 and names[:1] == [self.header["player"]]
        return (names[0], names[1]) if is_named else ("Max", "Min")

    def role(self, side: str) -> str:
        """The role of a side: `Max` or `Min`, even if the side has another name; for other sides, the name."""
        return ("Max", "Min")[self.sides.index(side)] if side in self.sides else side

    def children(self, node: RecordedNode, width: int | None = None) -> list[RecordedNode]:
        """The first `width` children of a node, and the best child (see `first_children`).

        If the node has playouts, the children with the most playouts come first.
        """
        numbers = self.order(node)[:width] if node.playout_history else node.first_children(width)
        return [self.nodes[number] for number in numbers if number in self.nodes]

    def order(self, node: RecordedNode) -> list[int]:
        """The numbers of a node's children in the order in which they are drawn."""
        if not node.playout_history:
            return node.children
        return sorted(node.children, key=lambda number: -self.nodes[number].visits)

    def hidden_nodes(self, node: RecordedNode, width: int | None = None) -> int:
        """The number of nodes that are left out below a node if only its first `width` children are drawn."""
        return node.nodes - 1 - sum(child.nodes for child in self.children(node, width))

    def path(self, number: int) -> list[RecordedNode]:
        """The nodes from the root down to a node."""
        found = [self.nodes[number]]
        while found[-1].parent is not None:
            found.append(self.nodes[found[-1].parent])
        return found[::-1]

    def below(self, root: int) -> Iterator[RecordedNode]:
        """Yield a node and all recorded nodes below it, in the order in which the search visited them."""
        waiting = [self.nodes[root]]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(self.children(node))


class WrittenRecording(Recording):
    """A recording that is written to a file while the search runs, so that its size is not limited by memory.

    Only the iterations are kept in memory. If the search keeps its tree, the nodes with their current values are also
    kept, because later events depend on them.
    """

    def __init__(self, header: dict[str, Any], file: IO[bytes]) -> None:
        super().__init__(header)
        self.file = file
        self.written = self.entered = 0
        """The number of written events, and the number of written events that enter a node."""
        self.write(header)

    @property
    def recorded(self) -> int:
        """The number of recorded nodes."""
        return self.entered

    def write(self, event: dict[str, Any]) -> None:
        """Write an event as a line of the file."""
        self.file.write(json_text(event).encode() + b"\n")

    def take(self, event: dict[str, Any]) -> None:
        """Write the next event."""
        self.write(event)
        self.entered += event["event"] == "enter"
        if event["event"] == "iteration":
            self.begin(event)
        elif self.growth:
            self.grow(event, self.written)
            self.forget(event)
        self.written += 1

    def forget(self, event: dict[str, Any]) -> None:
        """Drop the boards and the earlier values of nodes, because later events do not depend on them."""
        others = event["same"] if event["event"] == "revalue" and "same" in event else event.get("path", ())
        for number in (event["node"], *others):
            node = self.nodes[number]
            node.board, node.position = [], ""
            del node.playout_history[:-1], node.value_history[:-1]

    def close(self, end: dict[str, Any]) -> None:
        """Write the last line, which contains the result."""
        self.end = end
        self.write(end)
