"""The tree that a trace wrote down, as text to be drawn."""

from typing import Any

from gamesearch.algorithms.node import Node
from gamesearch.algorithms.reduction import InLeague
from gamesearch.algorithms.trace import Trace
from gamesearch.algorithms.workspace import FULL_DEPTH
from gamesearch.game import CHANCE, Game
from gamesearch.render.numbers import aged_text, data_number, value_text, window_text
from gamesearch.render.tree import SearchTree, TreeNode

__all__ = ["side_name", "traced_tree"]


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
        shown=value_text(node.value) if isinstance(node.value, tuple) else aged_text(game, node.value),
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


def side_name(game: Game[Any], side: int | None) -> str:
    """Whose turn it is: Max, Min, chance, or the name of one of more players; `end` where the game is over.

    The one whom the others are in league against goes by his name, too, and so do they.
    """
    if side is None:
        return "end"
    has_role = game.players == 2 and side != CHANCE and not isinstance(game, InLeague)
    return ("Max", "Min")[side] if has_role else game.player_name(side)
