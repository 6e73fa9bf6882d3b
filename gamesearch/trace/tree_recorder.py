"""Recording of a long search the tree near its root alone, to be drawn."""

from typing import Any

from gamesearch.game import Game
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.writer import Watched

__all__ = ["TreeRecorder"]


class TreeRecorder(Recorder):
    """An observer that keeps only the tree near the root, so that it stays small however long the search is.

    It keeps the nodes down to `plies`, of each node's children the first `width` and the best, of the
    last searches for the value; neither events nor boards.
    """

    def __init__(self, game: Game[Any], state: Any, algorithm: Watched, plies: int = 3, width: int | None = 6) -> None:
        super().__init__(game, state, algorithm)
        self.plies, self.width = plies, width

    def is_wanted(self, ply: int) -> bool:
        """Whether the node that is entered next is kept."""
        self.recording.reached = self.nodes + 1  # no node is left out for want of room
        return ply <= self.plies and self._iteration[1] != "distance"

    def pictured(self, state: Any) -> dict[str, Any]:  # noqa: ARG002
        """Nothing: boards take long, and are not drawn in a tree."""
        return {"position": "", "board": []}

    def take(self, event: dict[str, Any]) -> None:
        """Take an event over into the tree, and drop what is not kept any longer."""
        recording = self.recording
        recording.grow(event)
        if event["event"] == "leave":
            node = recording.nodes[event["node"]]
            for number in set(node.children).difference(node.first_children(self.width)):
                self.drop(number)
        elif event["event"] == "iteration" and event["purpose"] == "search":
            # The search before this one is shown when this one is stopped; null windows search a depth several times.
            kept = {each.depth for each in recording.searches[-2:]}
            for each in recording.searches:
                if each.root is not None and each.depth not in kept:
                    self.drop(each.root)
                    each.root = None

    def forget_tree(self) -> None:
        """Begin another tree."""
        super().forget_tree()
        self._above: dict[int, int | None] = {}
        """Of the nodes of a growing tree that are not kept, the nearest above each that is."""

    def leave_out(self, number: int, above: int | None) -> None:
        """A node of a growing tree that is not kept counts for those above it."""
        nearest = None if above is None else self._numbers.get(above)
        if above is not None and nearest is None:
            nearest = self._above.get(above)
        self._above.setdefault(number, nearest)
        for each in [] if nearest is None else self.recording.path(nearest):
            each.nodes += 1

    def drop(self, root: int) -> None:
        """Forget a node and all below it."""
        for node in list(self.recording.below(root)):
            del self.recording.nodes[node.number]

    def leave(self, ply: int, value: Any) -> None:
        """The innermost node is done; of a probe, say what was not searched, for which a file has no room."""
        here = self._path[-1]
        if here.is_probe and here.number is not None and (here.children or here.known is not None):
            self.recording.nodes[here.number].pruned = self.unsearched(here)
        super().leave(ply, value)
