"""A searched tree in the DOT language of Graphviz."""

from gamesearch.algorithms.parts.formatting import typeset
from gamesearch.render.graph_dot import quoted
from gamesearch.render.tree_picture import Picture, PictureNode, picture_of
from gamesearch.trace.recording import Recording

__all__ = ["export"]

SHAPES = {"max": "triangle", "min": "invtriangle", "chance": "circle", "leaf": "box", "player": "box"}
STYLES = {"cut": 'style=dashed arrowhead=tee label="cut"', "hidden": "style=dotted"}


def export(recording: Recording, blank: bool = False) -> str:
    """The tree for `dot -Tpdf`."""
    picture = picture_of(recording, blank)
    lines = [
        "digraph search {",
        f"  graph [ordering=out labelloc=t fontname=Helvetica label={quoted(*picture.headings)}]",
        "  node [fontname=Helvetica fontsize=11 margin=0.05 height=0.3 width=0.3]",
        "  edge [fontname=Helvetica fontsize=11 arrowhead=none]",
        *(f"  {node.name} [{attributes(picture, node)}]" for node in picture.nodes()),
        *(f"  {node.name} -> {child.name} [{edge(picture, child)}]" for node, child in picture.edges()),
        "}",
    ]
    return "\n".join(lines) + "\n"


def attributes(picture: Picture, node: PictureNode) -> str:
    """How a node is drawn."""
    if node.shape not in SHAPES:
        return f"shape=plaintext label={quoted(node.edge)}"
    texts = (picture.value(node), picture.window(node), node.note)
    bold = " penwidth=3" if picture.is_bold(node) else ""
    return f"shape={SHAPES[node.shape]} label={quoted(*map(typeset, texts[:2]), texts[2])}{bold}"


def edge(picture: Picture, child: PictureNode) -> str:
    """How the edge to a node is drawn."""
    if child.shape in STYLES:
        return STYLES[child.shape]
    return f"label={quoted(child.edge)}" + (" penwidth=3" if picture.is_bold(child) else "")
