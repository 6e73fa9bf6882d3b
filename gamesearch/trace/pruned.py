"""Add pruned branches to the recording of a search, so that pictures can show these branches and their values.

Minimax searches the pruned branches to the remaining depth of the search. If the game has chance, expectiminimax
searches them.
"""

from dataclasses import replace
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.node.values import adjusted_for_ply, cost_of_a_ply
from gamesearch.algorithms.root.search import search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.optional import mark_assumed
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.recorder import TreeRecorder
from gamesearch.trace.recorder.log import side_name, value_facts
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["add_pruned"]

MOST_NODES = 1_000_000
"""The greatest total number of nodes in the searches of all pruned branches."""


def add_pruned(recording: Recording, game: Game, plies: int | None = None) -> Recording:
    """Return the last tree of a recording, and add its pruned branches to the tree. The branches end at the depth of
    the deepest recorded node.

    If `plies` is given, only this number of plies of each branch is added. If the recording has no events, the function
    changes it and returns it. Raises GamesearchError if the branches are too large to search.
    """
    if recording.root is None or recording.growth or recording.payoff_count > 1:
        raise GamesearchError(
            "pruned branches can be drawn only for depth-first searches in which a value is a single number"
        )
    found = limit_recording(recording) if recording.events else recording
    assert found.root is not None
    depth = next(each.depth for each in found.iterations if each.root == found.root.number)
    return BranchGrafter(found, game, depth, plies).graft()


class BranchGrafter:
    """Adds pruned branches to a recording. The nodes of these branches are numbered after the visited nodes."""

    def __init__(self, recording: Recording, game: Game, depth: int | None, plies: int | None) -> None:
        self.recording, self.game, self.depth, self.plies = recording, game, depth, plies
        self.deepest = max(node.ply for node in recording.nodes.values())
        self.has_distances = any(" in " in node.shown for node in recording.nodes.values())
        self.cutoffs = {event["node"]: at for at, event in enumerate(recording.events) if event["event"] == "cutoff"}
        self.free = max(number for node in recording.nodes.values() for number in (node.number, *node.children))
        """The greatest known node number. The recording need not contain the node with this number."""
        self.left = MOST_NODES

    def graft(self) -> Recording:
        """Add the pruned branches of all nodes to the recording, and return it."""
        for node in list(self.recording.nodes.values()):
            if node.pruned and node.ply < self.deepest:
                self.add_below(node)
        return self.recording

    def add_below(self, node: RecordedNode) -> None:
        """Add the pruned branches of a node."""
        game, state = self.game, self.game.parse(node.position)
        steps = game.outcomes(state) if game.player(state) == CHANCE else ((m, None) for m in game.moves(state))
        named = {game.move_name(state, m): (m, chance) for m, chance in steps}
        for name in (each for each in node.pruned if each in named):
            move, chance = named[name]
            top = self.add_branch(node, game.result(state, move))
            top.move, top.chance, top.parent = name, chance, node.number
            node.children.append(top.number)

    def add_branch(self, above: RecordedNode, state: Any) -> RecordedNode:
        """Search a pruned branch below the node `above`, and add the nodes of the branch; return the first of these
        nodes."""
        game, first = self.game, max(self.free, *self.recording.nodes) + 1
        plies = None if self.depth is None else self.depth - above.ply - 1
        is_over = game.terminal(state)
        if plies == 0 or is_over:
            leaf = RecordedNode(
                number=0, parent=None, ply=0, move=None, chance=None,
                side=side_name(game, None if is_over else game.player(state)),
                window=None, window_shown="", position=game.format(state), board=[],
                kind="end" if is_over else "estimate",
                value=float(game.utility(state) if is_over else game.evaluate(state)),
            )  # fmt: skip
            return self.add(leaf, above, first)
        below = self.deepest - above.ply - 1
        branch = self.record_branch(state, plies, below if self.plies is None else min(below, self.plies - 1))
        assert branch.root is not None
        for node in branch.below(branch.root.number):
            self.add(node, above, first)
        return self.recording.nodes[first + branch.root.number]

    def record_branch(self, state: Any, plies: int | None, drawn: int) -> Recording:
        """Search a branch to the depth `plies`, and record the first `drawn` plies of the search."""
        algorithm = "expectiminimax(pruning=none, order=generated)" if self.game.chance else "minimax"
        recorder = TreeRecorder(self.game, state, load_algorithm(algorithm), drawn, None, boards=True)
        result = search(self.game, state, algorithm, limits=Limits(plies, nodes=self.left), observer=recorder)
        self.left -= result.statistics.nodes
        if result.stopped or self.left <= 0:
            raise GamesearchError(
                f"the pruned branches have more than {MOST_NODES:,} nodes: use a smaller depth, or leave out --pruned"
            )
        return recorder.finish(result)

    def add(self, node: RecordedNode, cut_at: RecordedNode, first: int) -> RecordedNode:
        """Add one node of a branch. The branch was cut off at the node `cut_at`. The first node of the branch gets the
        number `first`."""
        game, cut = self.game, self.cutoffs.get(cut_at.number, cut_at.first_event)
        added = replace(
            node, number=first + node.number, parent=None if node.parent is None else first + node.parent,
            ply=node.ply + cut_at.ply + 1, window=None, window_shown="", bound="exact", is_pruned=True, nodes=0,
            children=[first + child for child in node.children], first_event=cut, last_event=cut,
        )  # fmt: skip
        if isinstance(node.value, int | float):
            cost = cost_of_a_ply(game) if game.win_or_loss and node.kind != "estimate" else 0.0
            facts = value_facts(game, adjusted_for_ply(game, float(node.value), cut_at.ply + 1, cost))
            added.value = facts["value"]
            shown = facts["shown"] if self.has_distances else facts["shown"].partition(" in ")[0]
            added.shown = mark_assumed(game, game.parse(node.position), shown)
        self.recording.nodes[added.number] = added
        return added
