"""Short labels for the moves of a recorded search: numbers or letters. The leftmost move of each node has the label 1
or a."""

from dataclasses import replace
from string import ascii_lowercase
from typing import Any

from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["relabel_moves"]


def relabel_moves(recording: Recording, kind: str) -> Recording:
    """Replace the names of moves in a recording and its events by numbers or letters. If `kind` is not `numbers` or
    `letters`, the recording does not change."""
    return Relabeling(recording, kind).relabel() if kind in ("numbers", "letters") else recording


class Relabeling:
    """Replaces the names of the moves of a recording. A move without a node keeps its name."""

    def __init__(self, recording: Recording, kind: str) -> None:
        self.recording = recording
        self.labels: dict[int, dict[str, str]] = {}
        """For each node, a dictionary from the names of its moves to their labels."""
        for node in recording.nodes.values():
            names = dict.fromkeys([*(str(each.move) for each in recording.children(node)), *node.pruned])
            self.labels[node.number] = {name: label_of(kind, at) for at, name in enumerate(names)}

    def relabel(self) -> Recording:
        """The recording with labels."""
        found = self.recording
        nodes = {number: self.node(node) for number, node in found.nodes.items()}
        events = [self.event(event) for event in found.events]
        line = [] if found.root is None else self.line(found.root, found.end["line"])
        end = found.end | {"line": line, "best": line[0] if line else found.end["best"]}
        return replace(found, nodes=nodes, events=events, end=end)

    def label(self, node: int | None, name: Any) -> Any:
        """The label of a move at a node."""
        return name if node is None else self.labels.get(node, {}).get(name, name)

    def node(self, node: RecordedNode) -> RecordedNode:
        """A node with labels."""
        return replace(
            node,
            move=self.label(node.parent, node.move),
            best=self.label(node.number, node.best),
            pruned=[self.label(node.number, name) for name in node.pruned],
            left_out={why: [self.label(node.number, each) for each in names] for why, names in node.left_out.items()},
            refuted=self.label_refutation(node.refuted),
        )

    def label_refutation(self, found: dict[str, Any] | None) -> dict[str, Any] | None:
        """Return a refutation with the label of its move."""
        return found and found | {"move": self.label(found["node"], found["move"])}

    def event(self, event: dict[str, Any]) -> dict[str, Any]:
        """An event with labels."""
        kind, node = event["event"], event.get("node")
        if kind == "cutoff":
            names = [self.label(node, name) for name in event["pruned"]]
            return event | {"pruned": names, "refuted": self.label_refutation(event["refuted"])}
        if kind in ("enter", "best", "left_out", "choose"):
            event = event | {"move": self.label(event.get("parent") if kind == "enter" else node, event["move"])}
        if kind == "choose":
            return event | {"bounds": [[self.label(node, name), *rest] for name, *rest in event["bounds"]]}
        if kind == "expanded":
            return event | {"line": self.line(self.recording.nodes[event["node"]], event["line"])}
        return event

    def line(self, node: RecordedNode, names: list[str]) -> list[str]:
        """The labels of successive moves, beginning at a node. Moves after the last recorded node keep their names."""
        found = list[str]()
        for place, name in enumerate(names):
            found.append(self.label(node.number, name))
            children = [each for each in self.recording.children(node) if each.move == name and not each.is_probe]
            if not children:
                return [*found, *names[place + 1 :]]
            node = children[-1]
        return found


def label_of(kind: str, place: int) -> str:
    """The label of the move with index `place`, counted from the left.

    >>> label_of("letters", 2), label_of("letters", 27), label_of("numbers", 2)
    ('c', 'ab', '3')
    """
    first, last = divmod(place, len(ascii_lowercase))
    return str(place + 1) if kind == "numbers" else ascii_lowercase[first - 1 : first] + ascii_lowercase[last]
