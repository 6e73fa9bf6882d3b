"""Ranges of nodes. The range of a node is the interval in which its value must lie, given the values that were found
below the node so far. The window of alpha-beta contains the values that matter at a node; the range contains the values
that are still possible. Russell and Norvig draw ranges in figure 5.5: the range of the root is first [-inf, +inf], then
[3, +inf], [3, 14] and [3, 3].
"""

import math
from collections.abc import Iterable

from gamesearch.trace.events import PROOFS, TABLE
from gamesearch.trace.node_values import NodeValue, answer_of
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["NodeRanges"]

Range = tuple[float, float]
UNKNOWN: Range = (-math.inf, math.inf)


class NodeRanges:
    """The ranges of all nodes after each event of a recording. Depth-first searches, proofs and tables of values
    compute ranges. Other searches that keep their tree compute only estimates.

    If the recording contains only the tree near the root, and no events, only the final ranges are known.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.names: dict[float, str] = {-math.inf: "-inf", math.inf: "+inf"}
        """For each value, its text."""
        self.history: dict[int, list[tuple[int, str]]] = {}
        """For each node, the events that changed its range, and the new range after each of these events."""
        self.changes: dict[int, list[tuple[int, str]]] = {}
        """For each event, the nodes whose ranges it changed, with the new ranges. The deepest node comes first."""
        self.ranges: dict[int, Range] = {}
        if recording.growth not in ("", TABLE, *PROOFS) or recording.payoff_count > 1:
            return
        for node in recording.nodes.values():
            self.history[node.number] = [(node.first_event, self.text(UNKNOWN))]
            if isinstance(node.value, int | float):
                self.names.setdefault(float(node.value), node.shown.rstrip("?"))
            if recording.growth in PROOFS:
                self.history[node.number] += [
                    (each.event, self.range_by_proof(node, each)) for each in node.value_history
                ]
        if recording.growth in PROOFS:
            return
        for number, event in enumerate(recording.events):
            if event["event"] in ("leave", "cutoff", "enter", "revalue"):
                same = event.get("same", ()) if event["event"] == "revalue" else ()
                for node in (event["node"], *same):
                    self.narrow(node, number)
        for node in [] if recording.events else reversed(recording.nodes.values()):  # children before their parents
            self.ranges[node.number] = found = self.range_of(node, node.last_event > -1)
            self.history[node.number].append((0, self.text(found)))

    def at(self, node: int, moment: float = math.inf) -> str:
        """The range of a node after an event, as text; empty if the search has no ranges."""
        texts = [text for event, text in self.history.get(node, ()) if event <= moment]
        return texts[-1] if texts else ""

    def narrow(self, changed: int, number: int) -> None:
        """Narrow the range of a node and the ranges of the nodes above it. `number` is the number of the event that
        changed the node."""
        for node in reversed(self.recording.path(changed)):
            last = self.recording.value_at(node, number)
            has_value = -1 < node.last_event <= number or (last is not None and last.bound == "exact")
            found = self.range_of(node, has_value)
            if found == self.ranges.get(node.number, UNKNOWN):
                return
            self.ranges[node.number] = found
            self.history[node.number].append((number, self.text(found)))
            self.changes.setdefault(number, []).append((node.number, self.text(found)))

    def range_of(self, node: RecordedNode, has_value: bool) -> Range:
        """The range of a node, computed from its value (if it has one) and from the ranges of its moves."""
        low, high = self.range_by_moves(node)
        if has_value and isinstance(node.value, int | float):
            value = float(node.value)
            low = low if node.bound == "upper" else max(low, value)
            high = high if node.bound == "lower" else min(high, value)
        return low, high

    def range_by_proof(self, node: RecordedNode, found: NodeValue) -> str:
        """Compute the range of a node from its proof numbers or its cost. The value of a proven node is at least the
        goal, and the value of a disproven node is less than the goal. The value of any other node is unknown."""
        root = self.recording.path(node.number)[0].number
        search = next(each for each in self.recording.iterations if each.root == root)
        answer = answer_of(found.value, search.attacker)
        if answer is None:
            return self.text(UNKNOWN)
        return f"[{search.goal_shown}, +inf]" if answer else f"[-inf, {search.goal_shown})"

    def range_by_moves(self, node: RecordedNode) -> Range:
        """The range of a node, computed from the ranges of its moves. A move that was not searched may have any
        value."""
        moves: dict[str | None, list[RecordedNode]] = {}
        for child in self.recording.children(node):
            moves.setdefault(child.move, []).append(child)
        known = [(self.intersection(found), found[0].chance) for found in moves.values()]
        if not known or node.pruned or node.left_out or self.recording.hidden_nodes(node) > 0:
            known.append((UNKNOWN, None))
        lows, highs = [low for (low, _), _ in known], [high for (_, high), _ in known]
        role = self.recording.role(node.side)
        if role in ("Max", "Min"):
            better = max if role == "Max" else min
            return better(lows), better(highs)
        chances = [chance for _, chance in known if chance is not None]
        if role == "chance" and len(chances) == len(known):
            return weighted_mean(chances, lows), weighted_mean(chances, highs)
        return UNKNOWN

    def intersection(self, searches: Iterable[RecordedNode]) -> Range:
        """Intersect the ranges that several searches of the same move have found."""
        found = [self.ranges.get(each.number, UNKNOWN) for each in searches]
        return max(low for low, _ in found), min(high for _, high in found)

    def text(self, found: Range) -> str:
        """A range as text."""
        low, high = (self.names.get(each) or f"{round(each, 4):g}" for each in found)
        return f"[{low}, {high}]"


def weighted_mean(chances: Iterable[float], values: Iterable[float]) -> float:
    """The mean of values, weighted by their probabilities."""
    return math.fsum(chance * value for chance, value in zip(chances, values, strict=True) if chance)
