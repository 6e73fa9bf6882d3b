"""Recording a search that keeps its tree: which of the tree's nodes is which, and the way to the present one.

What a node is worth changes while the tree grows, by playouts (`playouts`) or by what is below it (`expansions`).
"""

from typing import Any

from gamesearch.algorithms.parts.formatting import data_number, value_text, window_text
from gamesearch.algorithms.parts.result import Observer
from gamesearch.game import Game
from gamesearch.trace.path import PathNode
from gamesearch.trace.recording import Recording

__all__ = ["GrowingRecorder"]


class GrowingRecorder(Observer):
    """The part of a Recorder that hears of a growing tree. It calls the others for what all searches have."""

    game: Game[Any]
    recording: Recording
    nodes: int
    _path: list[PathNode]

    def __init__(self) -> None:
        self._numbers: dict[int, int | None] = {}
        """The recorded number of each node of the search's tree; None where it is not written down."""
        self._way: list[int] = []
        """The nodes of the present path, by their numbers in the search's tree."""
        self._weighed: list[tuple[int, int, float]] = []
        """The moves that were weighed for the present choice, each with its playouts and what it is judged by."""

    # What the others do. -------------------------------------------------------------------------
    def is_wanted(self, ply: int) -> bool:
        """Whether the node that is entered next is recorded."""
        raise NotImplementedError

    def take(self, event: dict[str, Any]) -> None:
        """Add an event to the recording."""
        raise NotImplementedError

    def take_pending(self) -> None:
        """Add what happened besides."""
        raise NotImplementedError

    def begin_iteration(self) -> None:
        """Note that the root is searched."""
        raise NotImplementedError

    def entered(self, here: PathNode, parent: PathNode | None, ply: int) -> dict[str, Any]:
        """What there is to know of a node beforehand."""
        raise NotImplementedError

    def take_new(self, number: int, event: dict[str, Any]) -> None:
        """Add the event that enters a node, which has this number in the search's tree."""
        raise NotImplementedError

    def leave_out(self, number: int, above: int | None) -> None:
        """Note that a node is not written down, and which node of the search's tree is above it."""

    # What the search tells. ----------------------------------------------------------------------
    def reaches(self, state: Any, ply: int, number: int) -> None:
        """The search is at a node of the tree."""
        if number not in self._numbers and ply == 0:
            self.begin_iteration()
        del self._path[ply:], self._way[ply:]
        parent = self._path[-1] if self._path else None
        here = self.seen(state)
        if number not in self._numbers:
            self._numbers[number] = self.add(here, parent, ply, number)
        here.number = self._numbers[number]
        self._path.append(here)
        self._way.append(number)

    def seen(self, state: Any) -> PathNode:
        """A node of the tree with whose turn it is."""
        here = PathNode(state, None, None, None)
        if not self.game.terminal(state):
            here.note_side(self.game)
        return here

    def add(self, here: PathNode, parent: PathNode | None, ply: int, number: int, **facts: Any) -> int | None:
        """Write down a node that is new, if it is wanted; its recorded number, or None."""
        if self.is_wanted(ply) and (parent is None or parent.number is not None):
            here.number = self.nodes
            self.take_new(number, self.entered(here, parent, ply) | facts)
        else:
            self.leave_out(number, self._way[-1] if self._way else None)
        self.nodes += 1
        return here.number

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """A move is weighed for the choice that follows."""
        self._weighed.append((move, visits, bound))

    def follows(self, ply: int, move: int) -> None:
        """The search follows a move of the node at this ply."""
        self.take_pending()
        here, weighed = self._path[ply], self._weighed
        here.move, self._weighed = move, []
        if here.number is not None:
            name = self.game.move_name
            bounds = [[name(here.state, each), visits, round(bound, 4)] for each, visits, bound in weighed]
            self.take({"event": "choose", "node": here.number, "move": name(here.state, move), "bounds": bounds})

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """The value of the node at this ply is proven to lie between bounds."""
        here, game = self._path[ply], self.game
        if here.number is None:
            return
        shown = value_text(lower, signed=game.win_or_loss)
        if lower < upper:
            shown = window_text(game, lower, upper)
        elif game.win_or_loss and lower in (game.MINSCORE, game.MAXSCORE):
            shown += f" in {ply + plies}"
        bounds = {"lower": data_number(lower), "upper": data_number(upper), "shown": shown}
        self.take({"event": "proven", "node": here.number, **bounds})
