"""The runner of searches that keep their tree from move to move, and a class that reads results from the tree."""

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gamesearch.algorithms.engine.execution import SpeedProperty
from gamesearch.algorithms.engine.parameters import check_memory, check_seconds
from gamesearch.algorithms.engine.result import MoveValue, SearchResult, Value, value_for_player
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.records import Record, RecordHandle
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import FULL_DEPTH, VARIATION_PLIES
from gamesearch.algorithms.tree_search.growth import TreeEdge, TreeNode, TreeSettings
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes, NodeStore
from gamesearch.algorithms.tree_search.playout import width_of
from gamesearch.algorithms.tree_search.sampling import (
    RepeatingAlgorithm,
    average,
    check_number,
    expected_value,
)
from gamesearch.game import CHANCE, MAX, Game

__all__ = ["EXPANSIONS", "Branch", "ExpandingAlgorithm", "ExpandingReader", "TreeReader", "TreeRunner", "tree_result"]


class TreeRunner(Runner):
    """A runner that owns a tree. After moves of the game, the next search continues with the subtree of the new
    position."""

    def __init__(
        self,
        game: Game,
        speed: str,
        *,
        memory: int,
        node: type[Record] = TreeNode,
        edge: type[Record] = TreeEdge,
        width: int = 0,
        has_index: bool = False,
        threads: int = 1,
        database: Database | None = None,
    ) -> None:
        super().__init__(game, speed, threads=threads, database=database)
        self.megabytes, self.has_index = memory, has_index
        self.node, self.edge = node, edge
        self.width = width or width_of(game)
        """The number of values that the store contains for each edge."""
        self.line: list[Any] = []
        """The states of the game so far. The last state is the root of the tree."""

    @functools.cached_property
    def store(self) -> NodeStore:
        """The nodes and edges of the tree."""
        return NodeStore(self.megabytes, self.node, self.edge, self.width, self.has_index)

    @SpeedProperty
    def settings_handle(self) -> RecordHandle:
        """The settings of the kernel."""
        held = RecordHandle(TreeSettings, self.speed == "compiled")
        held.write(least=math.inf, greatest=-math.inf)
        return held

    @property
    def tree(self) -> Nodes:
        """The tree in the form that kernels use. If there is a database, the field `database` contains it, and a
        playout ends when it reaches a position of the database."""
        tree = self.store.view(self.speed == "compiled")
        return tree if self.database is None else tree._replace(database=self.memory.database)

    def release(self) -> None:
        """Drop the tree, and let later searches use its memory."""
        super().release()
        vars(self).pop("store", None)
        self.line = []

    def root_for(self, state: Any) -> int:
        """Turn the node of a state into the root of the tree. Returns the number of the root, or NOTHING if the state
        is not in the tree. If the search is observed, the result is always NOTHING, because an observer must see the
        whole tree grow."""
        line, before = [*self.past, state], self.line
        self.line = line
        goes_on = before and self.store.used_nodes and self.observer is None and line[: len(before)] == before
        root = 0 if goes_on else NOTHING
        for s, after in zip(line[len(before) - 1 :], line[len(before) :], strict=False):
            root = self.child(root, s, after)
        if root == NOTHING or self.store.nodes["count"][root] <= 0:
            self.store.clear()
            self.settings_handle.write(least=math.inf, greatest=-math.inf)
            return NOTHING
        if root:
            self.store.keep_below(root)
        return 0

    def child(self, number: int, s: Any, after: Any) -> int:
        """Node `number` has the state s. Find its child with the state `after`; NOTHING if no edge leads to such a
        child."""
        if number != NOTHING:
            for place in self.store.edges_of([number]):
                if self.game.result(s, int(self.store.edges["move"][place])) == after:
                    return int(self.store.edges["child"][place])
        return NOTHING


@dataclass(frozen=True)
class Branch:
    """A move of a node, with its statistics in the tree."""

    move: int
    visits: int
    child: int
    value: Value
    is_proven: bool
    plies: int
    is_dominated: bool
    """Whether another move is proven to be at least as good as this move."""


class TreeReader:
    """Reads values, moves and the principal variation from a tree after a search."""

    def __init__(self, runner: TreeRunner, has_proofs: bool = True) -> None:
        self.game, self.store = runner.game, runner.store
        self.has_proofs = has_proofs and runner.game.payoff_count == 1
        runner.store.note_used()

    def is_proven(self, number: int) -> bool:
        """Whether the value of a node is certain."""
        node = self.store.nodes[number]
        return bool(self.has_proofs and number != NOTHING and node["lower"] >= node["upper"])

    def branches(self, number: int) -> Iterator[Branch]:
        """Yield the moves whose value is known at a node."""
        store, width = self.store, self.store.width
        node = store.nodes[number]
        for place in store.edges_of([number]).tolist():
            move, child, visits = (int(store.edges[name][place]) for name in ("move", "child", "visits"))
            is_proven = self.is_proven(child)
            if not visits and not is_proven:
                continue
            value: Value = 0.0
            if visits:
                value = average(self.game, store.totals[place * width : (place + 1) * width].tolist(), visits)
            plies, is_dominated = 0, False
            if self.has_proofs and child != NOTHING:
                after, is_max = store.nodes[child], node["player"] == MAX
                lower, upper, plies = float(after["lower"]), float(after["upper"]), int(after["plies"])
                assert isinstance(value, float)  # a game of two players
                value = max(lower, min(upper, value))
                is_dominated = bool(upper <= node["lower"] if is_max else lower >= node["upper"])
            yield Branch(move, visits, child, value, is_proven, plies, is_dominated)

    def best(self, number: int) -> Branch | None:
        """The best move; None at a chance node or if no move has a value. If the value of the node is proven, the best
        move is a move with this value: the move with the shortest proof if this is a win, otherwise the move with the
        longest proof. If the value is not proven, the best move is the move with the most playouts, unless another move
        has a proven value that is better."""
        game, node = self.game, self.store.nodes[number]
        player, found = int(node["player"]), list(self.branches(number))
        if player == CHANCE or not found:
            return None
        if self.is_proven(number):
            value = float(node["lower"])
            reaching = [each for each in found if each.is_proven and each.value == value]
            sign = 1 if value_for_player(player, value) > value_for_player(player, game.draw_value()) else -1
            return min(reaching, key=lambda each: sign * each.plies)
        open_moves = [each for each in found if not each.is_dominated] or found
        most = max(open_moves, key=lambda each: (each.visits, value_for_player(player, each.value)))
        certain = [each for each in found if each.is_proven]
        return max([most, *certain], key=lambda each: value_for_player(player, each.value))

    def line(self) -> tuple[int, ...]:
        """The principal variation, which ends at a leaf of the tree or at a chance node."""
        moves, best = list[int](), self.best(0)
        while best is not None and len(moves) < VARIATION_PLIES:
            moves.append(best.move)
            best = self.best(best.child) if best.child != NOTHING else None
        return tuple(moves)

    def distance(self, branch: Branch, plies: int) -> int | None:
        """Return the number of plies to the win or loss after a move; None if no win or loss is proven."""
        is_decided = self.game.win_or_loss and branch.value in (self.game.MINSCORE, self.game.MAXSCORE)
        return plies if branch.is_proven and is_decided else None

    def move_values(self) -> Sequence[MoveValue]:
        """The value of each move of the root."""
        return [
            MoveValue(each.move, each.value, self.distance(each, each.plies + 1), each.visits)
            for each in self.branches(0)
        ]


def tree_result(runner: TreeRunner, algorithm: str, state: Any, reader: TreeReader) -> SearchResult:
    """Make the search result for a state from the tree that the search has grown."""
    game = runner.game
    moves, line, best, is_proven = reader.move_values(), reader.line(), reader.best(0), reader.is_proven(0)
    value: Value | None = None
    if is_proven:
        value = float(runner.store.nodes["lower"][0])
    elif game.player(state) == CHANCE and moves:
        value = expected_value(dict(game.outcomes(state)), moves)
    elif best is not None:
        value = best.value
    return SearchResult(
        algorithm=algorithm,
        value=value,
        bound="exact" if is_proven else "estimate",
        best=best.move if best is not None else None,
        line=line,
        statistics=runner.statistics(),
        distance=reader.distance(best, int(runner.store.nodes["plies"][0])) if is_proven and best is not None else None,
        moves=tuple(moves),
        sees_the_end=is_proven,
        stopped=runner.stopped,
        tree_is_full=runner.store.is_full and runner.stopped != "memory",
    )


# Algorithms that expand one leaf at a time. ------------------------------------------------------
EXPANSIONS = 1000
"""The number of leaves that a search without limits expands."""


class ExpandingReader(TreeReader):
    """Reads a tree in which each child of an expanded node has a value."""

    def value_of(self, number: int) -> float:
        """The value of an uncertain node: its backed-up estimate."""
        return self.clip(number, float(self.store.nodes["estimate"][number]))

    def clip(self, number: int, value: float) -> float:
        """Clip an estimate to the proven bounds of a node, and to a range that contains neither wins nor losses."""
        node = self.store.nodes[number]
        return estimate_within(self.game, max(float(node["lower"]), min(float(node["upper"]), value)))

    def branches(self, number: int) -> Iterator[Branch]:
        """Yield the moves of a node with their values."""
        node = self.store.nodes[number]
        for place in self.store.edges_of([number]).tolist():
            move, child = (int(self.store.edges[name][place]) for name in ("move", "child"))
            after, is_proven, is_max = self.store.nodes[child], self.is_proven(child), node["player"] == MAX
            lower, upper = float(after["lower"]), float(after["upper"])
            value = lower if is_proven else self.value_of(child)
            is_dominated = bool(upper <= node["lower"] if is_max else lower >= node["upper"])
            yield Branch(move, 0, child, value, is_proven, int(after["plies"]), is_dominated)


class ExpandingAlgorithm(RepeatingAlgorithm):
    """An algorithm that keeps a tree in memory, and expands one leaf after another."""

    parameter_help: ClassVar[Mapping[str, str]] = {
        "expansions": f"the number of leaves to expand; 0 means {EXPANSIONS:,}, or no limit if time or nodes "
        "are limited",
        "time": "seconds after which to stop, 0 for no limit",
        "memory": "the size of the tree in megabytes; the search stops when the tree is full",
    }

    expansions: int

    def set_expanding(self, expansions: int, time: float, memory: int) -> None:
        """Check the parameters, and store them as attributes."""
        self.expansions = check_number("expansions", expansions, whole=True)
        self.time, self.memory = check_seconds(time), check_memory(memory)

    def prepare_tree(self, runner: Runner, state: Any, purpose: str) -> tuple[TreeRunner, dict[str, Any]]:
        """Prepare a search. Returns the runner (its tree may already have nodes) and the settings of the kernel."""
        assert isinstance(runner, TreeRunner)
        runner.begin(FULL_DEPTH, purpose)
        most = self.repetition_limit(runner, self.expansions, EXPANSIONS)
        return runner, {"root": runner.root_for(state), "made": 0, "playouts": most, "implicit": 1.0}
