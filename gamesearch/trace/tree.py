"""The searched tree, written down while a search runs.

A trace is an `Observer`. It counts every node, and keeps those near the root: down to `plies`, and of
each node's children `width`. So it stays small however long the search is.
"""

import math
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Observer, as_value
from gamesearch.game import CHANCE, FORBIDDEN, Game
from gamesearch.trace.node import Frame, Node, best_child, certain, include, meaning

__all__ = ["Pass", "Trace", "trace_for"]


@dataclass
class Pass:
    """One search from the root; there are several with iterative deepening or null windows."""

    depth: int
    purpose: str
    nodes: int = 0
    root: Node | None = None
    """None for a pass so early that its tree was not kept."""
    is_unfinished: bool = False


class Trace(Observer):
    """Writes down what a search does, down to `plies` and `width` children of each node.

    `game` is the game as the algorithm sees it (`Algorithm.as_searched`). `is_clipped` says that values are
    clipped to the window (fail-hard), so that a leaf may be worth more or less than it returns.
    """

    purposes: tuple[str, ...] = ("search",)
    """Of which passes the tree is kept."""

    def __init__(self, game: Game[Any], plies: int = 3, width: int = 6, is_clipped: bool = False) -> None:
        self.game, self.plies, self.width, self.is_clipped = game, plies, width, is_clipped
        self.nodes = self.leaves = self.cutoffs = self.table_hits = 0
        self.passes: list[Pass] = []
        self._iteration = (0, "search")
        self._frames: list[Frame] = []
        self._path: list[Node] = []

    # What the trace knows. -----------------------------------------------------------------------
    @property
    def shown(self) -> Pass | None:
        """The pass to look at: the last that searched for the value, and was finished if any was.

        A second search for how soon a game is won asks another question than the first, and is not it.
        """
        kept = [each for each in self.passes if each.root is not None]
        finished = [each for each in kept if not each.is_unfinished]
        return (finished or kept or [None])[-1]  # type: ignore[list-item]

    def stop(self) -> None:
        """Note that the search was stopped: what was on the path then has no value."""
        if self.passes and self.passes[-1].purpose == "search":
            self.passes[-1].is_unfinished = True
            for node in self._path:
                node.is_unfinished = True

    # What the search tells. ----------------------------------------------------------------------
    def iteration(self, depth: int, purpose: str) -> None:
        """A search of the root to a depth begins."""
        self._iteration = (depth, purpose)

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """A node is visited with a window."""
        self.nodes += 1
        if ply == 0:
            self._begin_pass()
        parent = self._frames[-1] if self._frames else None
        node = None
        if ply <= self.plies and self.passes[-1].purpose in self.purposes:
            node = Node(state, ply, alpha, beta)
            del self._path[ply:]
            self._path.append(node)
            if ply == 0:
                self.passes[-1].root = node
            elif parent is not None and parent.node is not None:
                self._adopt(parent, parent.node, node)
        self._frames.append(Frame(state, alpha, beta, node))

    def _begin_pass(self) -> None:
        self._frames.clear()
        self.passes.append(Pass(*self._iteration))
        if self.passes[-1].purpose == "search":
            for each in self.passes[:-2]:  # the last but one is kept for when this one is stopped
                each.root = None

    def _adopt(self, frame: Frame, parent: Node, child: Node) -> None:
        child.move, child.number = frame.move, parent.visited
        if frame.side == CHANCE:
            child.probability = frame.odds[frame.move][0]
        parent.visited += 1
        parent.children.append(child)

    def move(self, ply: int, move: int) -> None:  # noqa: ARG002
        """The move of the innermost node is searched next."""
        frame = self._frames[-1]
        if frame.side is None:
            frame.side = self.game.player(frame.state)
            if frame.side == CHANCE:
                least, most = float(self.game.MINSCORE), float(self.game.MAXSCORE)
                frame.odds = {outcome: (p, least, most) for outcome, p in self.game.outcomes(frame.state) if p > 0}
        frame.move = move

    def cutoff(self, ply: int, index: int, count: int) -> None:  # noqa: ARG002
        """The innermost node is left; it is all the same where its last move led to that."""
        self.cutoffs += 1
        frame = self._frames[-1]
        frame.cut = index + 1 < count
        if frame.node is not None:
            frame.node.is_cut = True

    def table_hit(self, ply: int, lower: float, upper: float) -> None:  # noqa: ARG002
        """The table knows enough of the innermost node."""
        self.table_hits += 1
        self._know("table", lower, upper)

    def bounds(self, ply: int, lower: float, upper: float) -> None:  # noqa: ARG002
        """The game's own bounds tell enough of the innermost node."""
        self.cutoffs += 1
        self._know("bounds", lower, upper)

    def recurrence(self, ply: int) -> None:  # noqa: ARG002
        """The position stands on the path already."""
        draw = self.game.draw_value()
        self._know("recurrence", draw, draw)

    def _know(self, kind: str, lower: float, upper: float) -> None:
        frame = self._frames[-1]
        frame.known = lower, upper
        if frame.node is not None:
            frame.node.kind = kind

    def probe(self, ply: int) -> None:  # noqa: ARG002
        """Only the first move of the innermost node will be searched."""
        frame = self._frames[-1]
        frame.probe = True
        if frame.node is not None:
            frame.node.is_probe = True

    def leave(self, ply: int, value: Any) -> None:  # noqa: ARG002
        """The innermost node is done."""
        frame = self._frames.pop()
        if not frame.children and frame.known is None:
            self.leaves += 1
        bound, lower, upper = "exact", -math.inf, math.inf
        if not isinstance(value, tuple):
            lower, upper = certain(frame, float(value), self.is_clipped)
            bound = meaning(frame, float(value), lower, upper)
        if frame.node is not None:
            self._complete(frame, frame.node, value, bound)
        if self._frames:
            above = self._frames[-1]
            above.nodes += frame.nodes
            if above.node is not None and not frame.probe:
                above.searched.append(above.move)
            include(above, lower, upper)
        else:
            self.passes[-1].nodes = frame.nodes

    def _complete(self, frame: Frame, node: Node, value: Any, bound: str) -> None:
        """Write down what was found of a kept node, and drop the children beyond the width."""
        node.value = as_value(value)
        node.bound, node.nodes = bound, frame.nodes
        is_end = self.game.terminal(frame.state)
        node.side = None if is_end else self.game.player(frame.state)
        if not frame.children and frame.known is None:
            is_stuck = self.game.recurrence == FORBIDDEN and node.ply < self.passes[-1].depth
            node.kind = "end" if is_end else "stuck" if is_stuck else "estimate"
        elif node.is_cut or node.is_probe:
            searched = set(frame.searched)
            node.pruned = tuple(move for move in self._choices(frame) if move not in searched)
        if len(node.children) > self.width:
            best = best_child(node)
            kept = node.children[: self.width]
            node.children = kept if best in kept else [*kept[:-1], best]

    def _choices(self, frame: Frame) -> list[int]:
        return list(frame.odds) if frame.side == CHANCE else list(self.game.moves(frame.state))


def trace_for(game: Game[Any], state: Any, algorithm: Algorithm, plies: int = 3, width: int = 6) -> Trace:
    """A trace for a search of a state with an algorithm."""
    is_clipped = algorithm.clips_values
    return Trace(algorithm.as_searched(game, state), plies, width, is_clipped)
