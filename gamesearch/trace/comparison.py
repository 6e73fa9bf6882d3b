"""Compare several searches of a position in a combined tree, which shows how each search treated each node."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.game import Game
from gamesearch.trace.recorder import TreeRecorder
from gamesearch.trace.recorder.log import side_name
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["ComparedNode", "Mark", "compare_recordings", "record"]

FROM_ELSEWHERE = ("table", "bounds", "database", "repetition")
"""If a node has one of these kinds, the search found its value without searching its moves."""


@dataclass(frozen=True)
class Mark:
    """The way in which one search treated a node."""

    kind: str
    """`visited`; `cut` (not visited, because of a cutoff); `table`, `bounds`, `database` or `repetition` (the source of
    a known value); `unfinished`; or `unreached` (the search did not visit the parent of the node)."""
    nodes: int = 0
    """The number of nodes that the search visited in the subtree of this node. If the search visited this node several
    times, the numbers are added."""


@dataclass
class ComparedNode:
    """A node of the combined tree, with a mark for each search."""

    move: str | None
    """The move or outcome that leads to this node; None at the root."""
    side: str
    """The side to move: `Max`, `Min`, `chance`, `end`, or a player's name in games for more than two players."""
    value: str
    """The value as text; empty if no search found the exact value."""
    marks: list[Mark]
    children: list["ComparedNode"] = field(default_factory=list)
    left_out: int = 0
    """The number of the node's children that are not in this tree."""


def record(
    game: Game, state: Any, algorithm: Algorithm, depth: int, plies: int, monitor: Monitor | None = None
) -> Recording:
    """Search to a depth, and return a recording of the first `plies` plies of the tree."""
    recorder = TreeRecorder(game, state, algorithm, plies, width=None)
    return recorder.finish(
        search_with(game, state, algorithm.fresh_copy(), Limits(depth), monitor=monitor, observer=recorder)
    )


def compare_recordings(game: Game, state: Any, recordings: Sequence[Recording], plies: int, width: int) -> ComparedNode:
    """Build the combined tree. It has `plies` plies, and at most `width` moves at each node. Each node has a mark for
    each search."""

    def compare(move: str | None, s: Any, searches: list[Search], past: tuple[Any, ...] = ()) -> ComparedNode:
        """The tree below a state. `past` contains the states on the path to this state."""
        is_end = game.terminal(s)
        below = [] if is_end or len(past) >= plies else game.steps(s, past)
        steps = {game.move_name(s, step): step for step in below}
        kept = first_names(list(steps), searches, width)
        return ComparedNode(
            move,
            "end" if is_end else side_name(game, game.player(s)),
            exact_value(searches),
            [search.mark() for search in searches],
            [
                compare(name, game.result(s, steps[name]), [search.below(name) for search in searches], (*past, s))
                for name in kept
            ],
            len(steps) - len(kept),
        )

    return compare(None, state, [Search(recording, last_roots(recording)) for recording in recordings])


def last_roots(recording: Recording) -> list[RecordedNode]:
    """The roots of all searches to the last depth. Algorithms with null windows search to the same depth several
    times."""
    last = recording.root
    roots = [(each.depth, recording.nodes[each.root]) for each in recording.searches if each.root is not None]
    depths = {depth for depth, root in roots if root is last}
    return [root for depth, root in roots if depth in depths]


@dataclass
class Search:
    """The visits of one search to one node, and whether the search pruned the node."""

    recording: Recording
    visits: list[RecordedNode]
    is_cut: bool = False

    def below(self, move: str) -> "Search":
        """The same search below a move, with its visits to the child after this move."""
        visits = [child for visit in self.visits for child in self.recording.children(visit) if child.move == move]
        return Search(self.recording, visits, any(move in visit.pruned for visit in self.visits))

    def mark(self) -> Mark:
        """How the search treated the node."""
        if not self.visits:
            return Mark("cut" if self.is_cut else "unreached")
        kinds = {visit.kind for visit in self.visits}
        kind = "unfinished" if kinds == {"unfinished"} else "visited"
        if kinds.issubset(FROM_ELSEWHERE):
            kind = min(kinds, key=FROM_ELSEWHERE.index)
        return Mark(kind, sum(visit.nodes for visit in self.visits))


def first_names(names: list[str], searches: list[Search], width: int) -> list[str]:
    """The names of the first `width` moves of a node. The best move of the node is always included: if necessary, it
    replaces the last name."""
    first = names[:width]
    best = next((visit.best for search in searches for visit in search.visits if visit.best is not None), None)
    return first if best is None or best in first or best not in names else [*first[:-1], best]


def exact_value(searches: Sequence[Search]) -> str:
    """The value of a node from the first search that found the exact value; empty if no search found it."""
    visits = (visit for search in searches for visit in search.visits)
    return next((visit.shown for visit in visits if visit.bound == "exact" and visit.kind != "unfinished"), "")
