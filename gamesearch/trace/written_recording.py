"""A recording that goes to a file while the search runs, so that its size does not depend on memory."""

from typing import IO, Any

from gamesearch.support.escaping import json_text
from gamesearch.trace.recording import Recording

__all__ = ["WrittenRecording"]


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
