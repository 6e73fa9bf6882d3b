"""The base class of algorithms that expand one leaf at a time, and estimate the children of the leaf by the game's
evaluation."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from gamesearch.algorithms.engine.parameters import check_memory, check_seconds
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import (
    ENDLESS_MOVES,
    FULL_DEPTH,
    MAX_PLY,
    NODE_LIMIT,
    RUNNING,
    TOO_DEEP,
    TREE_FULL,
    Options,
    Run,
)
from gamesearch.algorithms.tree_search.growth import TreeSettings, child_of, expand, look_at
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes, new_node
from gamesearch.algorithms.tree_search.sampling import RepeatingAlgorithm, check_number
from gamesearch.algorithms.tree_search.tree_runner import Branch, TreeReader, TreeRunner
from gamesearch.compiler import kernel
from gamesearch.game import MAX, Game

__all__ = [
    "EXPANSIONS",
    "ExpandingAlgorithm",
    "ExpandingReader",
    "add_children",
    "begin_tree",
    "may_expand",
]

EXPANSIONS = 1000
"""The number of leaves that a search without limits expands."""


# Kernels. ----------------------------------------------------------------------------------------
@kernel
def begin_tree(game: Game, s: Any, settings: TreeSettings, tree: Nodes, run: Run) -> None:
    """Create the root if it does not exist. The root counts as a visited node in every search."""
    run.counts.nodes += 1
    if settings.root == NOTHING:
        settings.root = new_node(tree, 0)
        look_at(game, s, 0, settings.root, settings, tree, run)
        if run.observer is not None:
            run.observer.reaches(s, 0, settings.root)
            run.observer.values(settings.root, tree.nodes[settings.root].estimate, 0.0, False)


@kernel
def may_expand(settings: TreeSettings, run: Run) -> bool:
    """Whether the limits allow the search to expand another leaf."""
    return bool(run.counts.stop == RUNNING and (settings.playouts == 0 or settings.made < settings.playouts))


@kernel
def add_children(
    game: Game, s: Any, ply: int, number: int, options: Options, settings: TreeSettings, tree: Nodes, run: Run
) -> bool:
    """Add all children of a leaf to the tree, with their estimates or payoffs. Returns whether this was possible.

    If the children do not fit into the memory, or would exceed the node limit, the search stops without adding them.
    """
    node, counts = tree.nodes[number], run.counts
    if ply >= MAX_PLY - 1:
        counts.stop = TOO_DEEP
        return False
    if not expand(game, s, ply, number, settings, tree, run):
        counts.stop = TREE_FULL
        return False
    stop = counts.stop if counts.stop == ENDLESS_MOVES else RUNNING
    if counts.nodes + node.count > options.node_limit:
        stop = NODE_LIMIT
    elif tree.used.nodes + node.count > len(tree.nodes):
        stop = TREE_FULL
    if stop != RUNNING:
        tree.used.edges -= node.count
        node.count = NOTHING
        counts.stop = stop
        return False
    if run.observer is not None:
        run.observer.expands(ply)
    for edge in range(node.first, node.first + node.count):
        after = game.result(s, tree.edges[edge].move)
        child_of(game, after, ply + 1, edge, settings, tree, run)
        if run.observer is not None:
            run.observer.grows(after, tree.edges[edge].move, tree.edges[edge].child)
    counts.nodes += node.count
    counts.leaves += node.count
    counts.deepest = max(counts.deepest, ply + 1)
    return True


# Searches. ---------------------------------------------------------------------------------------
class ExpandingReader(TreeReader):
    """Reads a tree in which all children of a node have values."""

    def value_of(self, number: int) -> float:
        """The value of an uncertain node: its backed-up estimate."""
        return self.clip(number, float(self.store.nodes["estimate"][number]))

    def clip(self, number: int, value: float) -> float:
        """Clip an estimate into the proven bounds of a node. An estimate is also clipped so that it is never mistaken
        for a win or a loss."""
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
        """Prepare a search. Returns the runner, whose tree may contain nodes from earlier searches, and the settings
        for the kernel."""
        assert isinstance(runner, TreeRunner)
        runner.begin(FULL_DEPTH, purpose)
        most = self.repetition_limit(runner, self.expansions, EXPANSIONS)
        return runner, {"root": runner.root_for(state), "made": 0, "playouts": most, "implicit": 1.0}
