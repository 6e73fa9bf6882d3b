"""The tree that a trace wrote down, as text to be drawn."""

from gamesearch.algorithms.parts.formatting import data_number, value_text, value_with_distance_text, window_text
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.render.tree import SearchTree, TreeNode
from gamesearch.trace.node import Node, side_name
from gamesearch.trace.tree import Trace

__all__ = ["traced_tree"]


def traced_tree(trace: Trace) -> SearchTree:
    """The tree that a trace wrote down."""
    searches = [each for each in trace.passes if each.purpose == "search"]
    shown = trace.shown
    return SearchTree(
        root=None if shown is None or shown.root is None else traced_node(trace, shown.root, None),
        depths=[None if each.depth >= FULL_DEPTH else each.depth for each in searches],
        index=next((index for index, each in enumerate(searches) if each is shown), 0),
        has_second=len(searches) < len(trace.passes),
        names=[trace.game.player_name(i) for i in range(trace.game.players)],
        plies=trace.plies,
        width=trace.width,
    )


def traced_node(trace: Trace, node: Node, parent: Node | None) -> TreeNode:
    """A node of a trace as text, with all below it."""
    game, kind = trace.game, "unfinished" if node.is_unfinished else node.kind
    has_window = node.alpha is not None and node.beta is not None
    return TreeNode(
        move=None if parent is None or node.move is None else game.move_name(parent.state, node.move),
        side=side_name(game, node.side),
        window=[data_number(node.alpha), data_number(node.beta)] if has_window else None,
        window_shown=window_text(game, node.alpha, node.beta) if has_window else "",  # type: ignore[arg-type]
        value=data_number(node.value),
        shown=value_text(node.value) if isinstance(node.value, tuple) else value_with_distance_text(game, node.value),
        bound=node.bound,
        kind=kind,
        nodes=node.nodes,
        chance=node.probability,
        is_probe=node.is_probe,
        is_cut=node.is_cut,
        pruned=[game.move_name(node.state, move) for move in node.pruned],
        children=[traced_node(trace, child, node) for child in node.children],
        visited=node.visited,
        number=node.number,
        is_folded=node.ply == trace.plies,
    )
