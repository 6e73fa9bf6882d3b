"""A searched tree in the DOT language of Graphviz. A search that fills a table of values is drawn as a graph of
positions."""

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.render.dot import arrow, digraph, node, quote
from gamesearch.render.trees.picture import PLAIN, Picture, PictureNode, Style, picture_of, without_boards
from gamesearch.trace.recording import Recording

__all__ = ["export"]

SHAPES = {"max": "triangle", "min": "invtriangle", "chance": "circle", "leaf": "box", "player": "box"}
STUBS = {"cut": {"style": "dashed", "arrowhead": "tee", "label": quote("cut")}, "hidden": {"style": "dotted"}}
"""The attributes of edges to nodes that are not drawn."""


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree in the DOT language, for example for `dot -Tpdf`."""
    picture = picture_of(recording, blank, without_boards(style))
    return digraph(
        "search",
        [
            node("graph", ordering="out", labelloc="t", fontname="Helvetica", label=quote(*picture.headings)),
            node("node", fontname="Helvetica", fontsize="11", margin="0.05", height="0.3", width="0.3"),
            node("edge", fontname="Helvetica", fontsize="11", arrowhead="none"),
            *(node(each.name, **look(picture, each)) for each in picture.nodes() if not each.same),
            *(arrow(each.name, child.same or child.name, **line(picture, child)) for each, child in picture.edges()),
        ],
    )


def look(picture: Picture, each: PictureNode) -> dict[str, str]:
    """The attributes of a node."""
    if each.shape not in SHAPES:
        return {"shape": "plaintext", "label": quote(each.edge)}
    texts = (*map(typeset, (picture.value(each), picture.window(each))), each.note)
    return {"shape": SHAPES[each.shape], "label": quote(*texts)} | bold(picture, each)


def line(picture: Picture, child: PictureNode) -> dict[str, str]:
    """The attributes of the edge to a node."""
    return STUBS.get(child.shape) or {"label": quote(child.edge)} | bold(picture, child)


def bold(picture: Picture, each: PictureNode) -> dict[str, str]:
    """Attributes that make a node or an edge bold if it is on the principal variation; else empty."""
    return {"penwidth": "3"} if picture.is_bold(each) else {}
