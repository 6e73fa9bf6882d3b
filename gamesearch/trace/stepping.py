"""Stepping through a search: a place among its events, and what is known of each node there.

Nothing is replayed. What is known at a moment follows from the number of the event alone, so that
back is as plain as next, and a jump as quick as a step.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.trace.node_values import is_solved, until
from gamesearch.trace.recording import Iteration, Number, RecordedNode, Recording

__all__ = ["Known", "Stepper"]


@dataclass(frozen=True)
class Known:
    """What is known of a node at a moment."""

    state: str
    """`unseen`, `open` (on the path), `done`, `cut` (left before its last moves); or `growing`, a node of a tree that
    the search keeps."""
    window: list[float | int | None] | None
    window_shown: str
    """The window as narrowed so far."""
    value: Number = None
    shown: str = ""
    """The value so far, or the one backed up; empty where there is none yet."""
    bound: str = ""
    """`exact`, `lower` or `upper`, of what was backed up, or `estimate`; empty before that."""
    best: str | None = None
    best_child: int | None = None
    pruned: tuple[str, ...] = ()
    """The moves that were cut."""
    coming: tuple[str, ...] = ()
    """The moves of an open node that have not been searched yet; some will be cut."""
    visits: int = 0
    """How many playouts went through it."""
    interval_shown: str = ""
    """How sure the value is: where the expected payoff is with 95 % confidence, or the deviation of a belief."""


class Stepper:
    """A place among the events of a recording, of which the end of the search is the last."""

    def __init__(self, recording: Recording) -> None:
        root = recording.root
        if root is None:
            raise GamesearchError("there is nothing to watch: the search visited no node")
        self.recording, self.root = recording, root
        self.events = [*recording.events, recording.end]
        self.at = 0
        self.algorithm = algorithm_words(recording)
        self._changes: dict[int, list[int]] = {number: [] for number in recording.nodes}
        for number, event in enumerate(self.events):
            if event["event"] in ("best", "cutoff"):
                self._changes[event["node"]].append(number)

    @property
    def event(self) -> dict[str, Any]:
        """The event that just happened."""
        return self.events[self.at]

    @property
    def node(self) -> RecordedNode:
        """The node that the event is about; the root, where it is about a search as a whole."""
        number = self.event.get("node")
        if self.event["event"] == "iteration":
            number = self.recording.iteration(self.event["number"]).root
        return self.root if number is None else self.recording.nodes[number]

    @property
    def path(self) -> list[RecordedNode]:
        """The nodes from the root to the present one."""
        return self.recording.path(self.node.number)

    @property
    def question(self) -> Iteration:
        """What is asked of the present tree."""
        root = self.path[0].number
        return next(each for each in self.recording.iterations if each.root == root)

    # Moving: each says whether there was where to go. --------------------------------------------
    def go(self, number: int) -> bool:
        """Go to an event, as far as there are events."""
        before, self.at = self.at, max(0, min(number, len(self.events) - 1))
        return self.at != before

    def next(self) -> bool:
        """Go to the next event."""
        return self.go(self.at + 1)

    def back(self) -> bool:
        """Go to the event before."""
        return self.go(self.at - 1)

    def next_cutoff(self) -> bool:
        """Go to the next cutoff; in a growing tree, to the next proof."""
        return self.seek(lambda event: event["event"] in ("cutoff", "proven") or solves(event))

    def next_best_line_change(self) -> bool:
        """Go to the next change of the best line, which the root's best move begins."""
        return self.seek(lambda event: event["event"] == "best" and self.recording.nodes[event["node"]].parent is None)

    def seek(self, is_wanted: Callable[[dict[str, Any]], bool]) -> bool:
        """Go to the next event of a kind; stay where there is none."""
        found = (number for number in range(self.at + 1, len(self.events)) if is_wanted(self.events[number]))
        return self.go(next(found, self.at))

    def finish_node(self) -> bool:
        """Go to where the present node is left; from there, to where its parent is.

        In a growing tree, go to where the present playout is counted, or the present expansion is done, or the next.
        """
        if self.recording.growth:
            return self.seek(lambda event: event["event"] in ("count", "expanded")) or self.go(len(self.events))
        ends = (node.last_event for node in reversed(self.path) if node.last_event > self.at)
        return self.go(next(ends, len(self.events)))

    def jump(self, number: int) -> bool:
        """Go to where a node is entered; raises GamesearchError where it is not in the recording."""
        if number not in self.recording.nodes:
            raise GamesearchError(
                f"there is no node {number} in this trace: its nodes are 0 to {max(self.recording.nodes)}"
            )
        return self.go(self.recording.nodes[number].first_event)

    # What is known. ------------------------------------------------------------------------------
    def known(self, number: int, at: int | None = None) -> Known:
        """What is known of a node now, or when another event just happened."""
        moment = self.at if at is None else at
        node = self.recording.nodes[number]
        if node.first_event > moment:
            return Known("unseen", node.window, node.window_shown)
        facts: dict[str, Any] = {"window": node.window, "window_shown": node.window_shown}
        state = "growing" if self.recording.growth else "open"
        for change in (self.events[each] for each in self._changes[number] if each <= moment):
            if change["event"] == "cutoff":
                state, facts["pruned"] = "cut", tuple(change["pruned"])
            else:
                facts |= {name: change[name] for name in ("window", "window_shown", "value", "shown")}
                facts |= {"best": change["move"], "best_child": change["child"]}
        if -1 < node.last_event <= moment:
            state = "done" if state == "open" else state
            facts |= {"value": node.value, "shown": node.shown, "bound": node.bound}
        if last := self.recording.standing(node, moment):
            facts |= {"value": last.value, "shown": last.shown, "bound": last.bound, "interval_shown": last.beside}
        if paid := until(node.tallies, moment):
            facts["visits"] = paid.visits
        return Known(state, **facts, coming=self.coming(node, moment) if state == "open" else ())

    def coming(self, node: RecordedNode, moment: int) -> tuple[str, ...]:
        """The moves not searched at a moment; those that will be and those that will not look the same."""
        later = [child.move for child in self.recording.children(node) if child.first_event > moment]
        return tuple(dict.fromkeys(str(move) for move in [*later, *node.pruned]))

    def children(self, number: int) -> list[RecordedNode]:
        """The children of a node that were entered so far."""
        children = self.recording.children(self.recording.nodes[number])
        return [child for child in children if child.first_event <= self.at]

    @property
    def best_line(self) -> list[str]:
        """The best line from the root, as far as it is known."""
        line: list[str] = []
        number: int | None = self.path[0].number
        while number is not None:
            known = self.known(number)
            line += [known.best] if known.best is not None else []
            number = known.best_child
        return line


def algorithm_words(recording: Recording) -> str:
    """The algorithm, and by which evaluation it estimates positions, if it estimated any."""
    algorithm, evaluation = recording.header["algorithm"], recording.header.get("evaluation")
    is_estimated = any(node.kind == "estimate" for node in recording.nodes.values()) or any(
        event["event"] in ("stands", "predicted") for event in recording.events
    )
    return f"{algorithm} (by {evaluation})" if evaluation and is_estimated else str(algorithm)


def solves(event: dict[str, Any]) -> bool:
    """Whether an event proves or disproves a node by its numbers, or nodes by their costs."""
    found = {"revalue": [event.get("value")], "settle": event.get("values", [])}.get(event["event"], [])
    return any(is_solved(value) for value in found)
