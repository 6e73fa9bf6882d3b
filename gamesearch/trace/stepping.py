"""Step through a recorded search: the current event, and the state of each node after this event.

The state of a node is computed directly from the number of the event, without replaying earlier events. So a step
backward is as fast as a step forward, and a jump is as fast as a step.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.trace.events import TABLE
from gamesearch.trace.node_values import is_solved, latest, numbers
from gamesearch.trace.ranges import NodeRanges
from gamesearch.trace.recording import Iteration, Number, RecordedNode, Recording
from gamesearch.trace.wording.phrases import narrowed_text

__all__ = ["NodeState", "Stepper"]


@dataclass(frozen=True)
class NodeState:
    """The state of a node after an event."""

    state: str
    """`unseen`, `open` (on the path), `done`, or `cut` (a cutoff left out moves). If the search keeps its tree:
    `unseen` or `growing`."""
    window: list[float | int | None] | None
    window_shown: str
    """The current window as text. The values of searched moves can narrow this window."""
    value: Number = None
    shown: str = ""
    """The value as text. Until the search leaves the node, the text shows the value so far. Afterwards, it shows the
    value that was backed up. If the node has no value yet, the text is empty."""
    bound: str = ""
    """`exact`, `lower`, `upper` or `estimate`. Empty until a value is backed up."""
    best: str | None = None
    best_child: int | None = None
    pruned: tuple[str, ...] = ()
    """The moves that a cutoff left out."""
    coming: tuple[str, ...] = ()
    """The moves of an open node that have not been searched yet. A later cutoff may leave out some of them."""
    visits: int = 0
    """The number of playouts through the node."""
    interval_shown: str = ""
    """The certainty of the value as text: a 95 % confidence interval, or the standard deviation of a belief."""
    is_dropped: bool = False
    """Whether the value was dropped from a table of values."""


class Stepper:
    """Points at an event of a recording, and moves to other events. The last event is the end of the search."""

    def __init__(self, recording: Recording) -> None:
        root = recording.root
        if root is None:
            raise GamesearchError("this search cannot be watched: it visited no node")
        self.recording, self.root = recording, root
        self.events = [*recording.events, recording.end]
        self.at = 0
        self.algorithm = algorithm_words(recording)
        self._changes: dict[int, list[int]] = {number: [] for number in recording.nodes}
        for number, event in enumerate(self.events):
            if event["event"] in ("best", "cutoff"):
                self._changes[event["node"]].append(number)

    @functools.cached_property
    def ranges(self) -> NodeRanges:
        """The ranges of all nodes."""
        return NodeRanges(self.recording)

    @functools.cached_property
    def has_levels(self) -> bool:
        """Whether the table is filled level by level."""
        return any(event["event"] == "level" for event in self.events)

    @functools.cached_property
    def payoffs_before(self) -> list[tuple[float, float]]:
        """The least and the greatest payoff of the playouts before each event; (0, 0) before the first playout."""
        found, least, greatest = list[tuple[float, float]](), math.inf, -math.inf
        for event in self.events:
            found.append((least, greatest) if least <= greatest else (0.0, 0.0))
            paid = numbers(event["values"][0]) if event["event"] == "count" else ()
            least, greatest = min((least, *paid)), max((greatest, *paid))
        return found

    @property
    def event(self) -> dict[str, Any]:
        """The current event."""
        return self.events[self.at]

    @property
    def node(self) -> RecordedNode:
        """The node of the current event; the root if the event is about the whole search."""
        number = self.event.get("node")
        if self.event["event"] == "iteration":
            number = self.recording.iteration(self.event["number"]).root
        return self.root if number is None else self.recording.nodes[number]

    @property
    def path(self) -> list[RecordedNode]:
        """The nodes from the root to the current node."""
        return self.recording.path(self.node.number)

    @property
    def question(self) -> Iteration:
        """The iteration to which the current event belongs, with its purpose and, for a proof, its goal."""
        root = self.path[0].number
        return next(each for each in self.recording.iterations if each.root == root)

    # Moving: each method returns whether the current event changed. ---------------------------------
    def go(self, number: int) -> bool:
        """Go to the event with this number. If the number is too small or too large, go to the first or the last
        event."""
        before, self.at = self.at, max(0, min(number, len(self.events) - 1))
        return self.at != before

    def next(self) -> bool:
        """Go to the next event."""
        return self.go(self.at + 1)

    def back(self) -> bool:
        """Go to the previous event."""
        return self.go(self.at - 1)

    def next_cutoff(self) -> bool:
        """Go to the next cutoff or, in a growing tree, to the next proof."""
        return self.seek(self.is_cutoff)

    def is_cutoff(self, event: dict[str, Any]) -> bool:
        """Whether an event is a cutoff or proves a value. All new values in a table are proven."""
        kinds = ("cutoff", "proven", *["revalue"] * (self.recording.growth == TABLE))
        return event["event"] in kinds or solves(event)

    def next_best_line_change(self) -> bool:
        """Go to the next event at which the root gets a new best move, and so a new principal variation."""
        return self.seek(lambda event: event["event"] == "best" and self.recording.nodes[event["node"]].parent is None)

    def seek(self, is_wanted: Callable[[dict[str, Any]], bool]) -> bool:
        """Go to the next event that `is_wanted` accepts. Stay at the current event if no later event is accepted."""
        found = (number for number in range(self.at + 1, len(self.events)) if is_wanted(self.events[number]))
        return self.go(next(found, self.at))

    def finish_node(self) -> bool:
        """Go to the event that leaves the current node. If the current event leaves the current node, go to the event
        that leaves the parent.

        In a growing tree, go to the next event that counts a playout or completes an expansion.
        """
        if self.recording.growth:
            return self.seek(lambda event: event["event"] in ("count", "expanded")) or self.go(len(self.events))
        ends = (node.last_event for node in reversed(self.path) if node.last_event > self.at)
        return self.go(next(ends, len(self.events)))

    def jump(self, number: int) -> bool:
        """Go to the event that enters a node; raises GamesearchError if the node was not recorded."""
        if number not in self.recording.nodes:
            raise GamesearchError(
                f"there is no node {number} in this trace: its nodes are 0 to {max(self.recording.nodes)}"
            )
        return self.go(self.recording.nodes[number].first_event)

    # States of nodes. ----------------------------------------------------------------------------
    def state_of(self, number: int, at: int | None = None) -> NodeState:
        """The state of a node now, or after another event."""
        moment = self.at if at is None else at
        node = self.recording.nodes[number]
        if node.first_event > moment:
            return NodeState("unseen", node.window, node.window_shown)
        facts: dict[str, Any] = {"window": node.window, "window_shown": node.window_shown}
        state = "growing" if self.recording.growth else "open"
        for change in (self.events[each] for each in self._changes[number] if each <= moment):
            if change["event"] == "cutoff":
                state, facts["pruned"] = "cut", tuple(change["pruned"])
            else:
                facts |= {name: change[name] for name in ("window", "value", "shown")}
                facts["window_shown"] = narrowed_text(change)
                facts |= {"best": change["move"], "best_child": change["child"]}
        if -1 < node.last_event <= moment:
            state = "done" if state == "open" else state
            facts |= {"value": node.value, "shown": node.shown, "bound": node.bound}
        if last := self.recording.value_at(node, moment):
            facts |= {"value": last.value, "shown": last.shown, "bound": last.bound, "interval_shown": last.certainty}
        if paid := latest(node.playout_history, moment):
            facts["visits"] = paid.visits
        first = node if node.same is None else self.recording.nodes.get(node.same, node)
        facts["is_dropped"] = first.dropped_at is not None and first.dropped_at <= moment
        return NodeState(state, **facts, coming=self.remaining_moves(node, moment) if state == "open" else ())

    def remaining_moves(self, node: RecordedNode, moment: int) -> tuple[str, ...]:
        """The moves that have not been searched yet. They will be searched later, or pruned by a cutoff."""
        later = [child.move for child in self.recording.children(node) if child.first_event > moment]
        return tuple(dict.fromkeys(str(move) for move in [*later, *node.pruned]))

    def children(self, number: int) -> list[RecordedNode]:
        """The children of a node that the search has entered so far."""
        children = self.recording.children(self.recording.nodes[number])
        return [child for child in children if child.first_event <= self.at]

    @property
    def best_line(self) -> list[str]:
        """The moves of the principal variation that are known so far, beginning at the current node."""
        line: list[str] = []
        number: int | None = self.node.number
        while number is not None:
            known = self.state_of(number)
            line += [known.best] if known.best is not None else []
            number = known.best_child
        return line


def algorithm_words(recording: Recording) -> str:
    """The algorithm of a recording. If the search estimated positions, the text also names the evaluation."""
    algorithm, evaluation = recording.header["algorithm"], recording.header.get("evaluation")
    is_estimated = any(node.kind == "estimate" for node in recording.nodes.values()) or any(
        event["event"] in ("stands", "predicted") for event in recording.events
    )
    return f"{algorithm} (by {evaluation})" if evaluation and is_estimated else str(algorithm)


def solves(event: dict[str, Any]) -> bool:
    """Whether an event proves or disproves a node: a new proof number, disproof number or cost is 0 or infinite."""
    found = {"revalue": [event.get("value")], "settle": event.get("values", [])}.get(event["event"], [])
    return any(is_solved(value) for value in found)
