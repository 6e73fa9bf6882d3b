"""Best-first minimax search: always expand the leaf at the end of the principal variation.

R. E. Korf and D. M. Chickering 1996, "Best-first minimax search", Artificial Intelligence 84. The value of the root is
the value of one leaf, so expanding this leaf tests the value. The search in the paper ends when this leaf is terminal.
The kernel `bestfirst` goes on: it expands the best leaf that has an uncertain value, until the root has a certain
value.
"""

from typing import Any

from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.repetition import note_on_path
from gamesearch.algorithms.node.workspace import Options, Run
from gamesearch.algorithms.tree_search.growth import (
    GrowingEdge,
    TreeSettings,
    add_children,
    back_up_node,
    begin_tree,
    is_dominated,
    is_proven,
    may_expand,
)
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.algorithms.tree_search.tree_runner import ExpandingAlgorithm, ExpandingReader, TreeRunner, tree_result
from gamesearch.compiler import kernel
from gamesearch.game import MIN, Game

__all__ = ["BestFirst", "bestfirst"]


@kernel
def bestfirst(game: Game, s: Any, options: Options, settings: TreeSettings, tree: Nodes, run: Run) -> None:
    """Expand the leaf at the end of the principal variation, until the search stops or the value of s is certain.

    At the end, the estimate of the root is the minimax value of the tree. If the lower and the upper bound of the root
    are equal, the value of the position is certain.
    """
    begin_tree(game, s, settings, tree, run)
    while may_expand(settings, run) and not is_proven(settings.root, tree):
        last = expand_best_line(game, s, options, settings, tree, run)
        if last == NOTHING:
            break
        back_up(game, last, settings, tree, run)
        settings.made += 1
        if run.observer is not None:
            run.observer.finish_expansion()


@kernel
def expand_best_line(game: Game, s: Any, options: Options, settings: TreeSettings, tree: Nodes, run: Run) -> int:
    """Follow the best moves to a leaf, and expand the leaf. Returns the ply of the leaf, or NOTHING if the search must
    stop."""
    number, ply = settings.root, 0
    while True:
        settings.nodes[ply] = number
        note_on_path(game, s, ply, run.path)
        if run.observer is not None:
            run.observer.reaches(s, ply, number)
        if tree.nodes[number].count < 0:
            if not add_children(game, s, ply, number, options, settings, tree, run):
                return NOTHING
            if run.observer is not None:
                report_children(number, tree, run)
            return ply
        edge = best_open_edge(number, tree)
        if run.observer is not None:
            run.observer.follows(ply, tree.edges[edge].move)
        s = game.result(s, tree.edges[edge].move)
        ply += 1
        number = tree.edges[edge].child


@kernel
def report_children(number: int, tree: Nodes, run: Run) -> None:
    """Tell the observer the values of a node's new children."""
    node = tree.nodes[number]
    for edge in range(node.first, node.first + node.count):
        child = tree.edges[edge].child
        run.observer.values(child, tree.nodes[child].estimate, 0.0, is_proven(child, tree))


@kernel
def best_open_edge(number: int, tree: Nodes) -> int:
    """The best of the open moves. A move is open if its value is uncertain and may be better than all certain
    values."""
    node, best = tree.nodes[number], NOTHING
    greatest = 0.0
    for i in range(node.first, node.first + node.count):
        child = tree.edges[i].child
        if is_proven(child, tree) or is_dominated(node.player, number, child, tree):
            continue
        worth = -tree.nodes[child].estimate if node.player == MIN else tree.nodes[child].estimate
        if best == NOTHING or worth > greatest:
            best, greatest = i, worth
    return best


@kernel
def back_up(game: Game, last: int, settings: TreeSettings, tree: Nodes, run: Run) -> None:
    """Update estimates and bounds from the expanded leaf upward, up to the first node that does not change."""
    for ply in range(last, -1, -1):
        number = settings.nodes[ply]
        node = tree.nodes[number]
        if node.count > 0:
            before = node.estimate
            has_proved = back_up_node(game, number, tree)
            if run.observer is not None:
                if has_proved:
                    run.observer.proves(ply, node.lower, node.upper, node.plies)
                run.observer.values(number, node.estimate, 0.0, is_proven(number, tree))
            if node.estimate == before and not has_proved:
                break


class BestFirst(ExpandingAlgorithm):
    """A tree that grows at the end of its principal variation. The value is the minimax value of the leaves' estimates;
    leaves may have different depths. The value is exact if every relevant line was searched to the end of the game. The
    distance of an exact win or loss is the length of the longest line in its proof.
    """

    name = "bestfirst"
    summary = "best-first minimax: a tree in memory, expanded at the end of the principal variation"
    source = "Korf & Chickering 1996"

    def __init__(self, expansions: int = 0, time: float = 0.0, memory: int = 256) -> None:
        self.set_expanding(expansions, time, memory)

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """The runner that owns the tree."""
        return TreeRunner(game, speed, memory=self.memory, edge=GrowingEdge)

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Grow the tree of a position. The tree may already contain nodes of earlier searches."""
        grown, settings = self.prepare_tree(runner, state, "expansions")

        def arguments() -> tuple[Any, ...]:
            grown.settings_handle.write(**settings)
            return (grown.game, state, grown.options, grown.settings_handle.record, grown.tree, grown.run)

        grown.execute(bestfirst, arguments)
        return tree_result(grown, self.specification, state, ExpandingReader(grown))
