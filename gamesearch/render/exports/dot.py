"""A searched tree in the DOT language of Graphviz. A search that fills a table of values is drawn as a graph of
positions."""

from dataclasses import replace

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.render.formats.dot import arrow, can_draw, digraph, draw_svg, image_size, markup, node, outline, quote
from gamesearch.render.trees.picture import (
    PLAIN,
    Picture,
    PictureNode,
    Style,
    TooLargeError,
    picture_of,
    without_boards,
)
from gamesearch.trace.events import TABLE
from gamesearch.trace.recording import Recording

__all__ = ["export", "graph_image"]

SHAPES = {"max": "triangle", "min": "invtriangle", "chance": "circle", "leaf": "box", "player": "box"}
GRAPH_SHAPES = SHAPES | {"max": "max", "min": "min", "chance": "chance", "leaf": "end"}
"""The shapes of nodes with positions. `gamesearch graph` uses the same shapes."""
STUBS = {"cut": {"style": "dashed", "arrowhead": "tee", "label": quote("cut")}, "hidden": {"style": "dotted"}}
"""The attributes of edges to nodes that are not drawn."""


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree in the DOT language, for example for `dot -Tpdf`."""
    is_graph = recording.growth == TABLE
    picture = picture_of(recording, blank, replace(without_boards(style), joins=is_graph))
    order, margin, head = ("", "0.1,0.05", "normal") if is_graph else ("out", "0.05", "none")
    best = {each.same or each.name for each in picture.nodes() if picture.is_bold(each)}
    return digraph(
        "search",
        [
            node("graph", ordering=order, labelloc="t", fontname="Helvetica", label=quote(*picture.headings)),
            node("node", fontname="Helvetica", fontsize="11", margin=quote(margin), height="0.3", width="0.3"),
            node("edge", fontname="Helvetica", fontsize="11", arrowhead=head, arrowsize="0.7"),
            *(
                node(each.name, **look(picture, each), **bold(each.name in best))
                for each in picture.nodes()
                if not each.same
            ),
            *(arrow(each.name, child.same or child.name, **line(picture, child)) for each, child in picture.edges()),
        ],
    )


def graph_image(recording: Recording, blank: bool, style: Style) -> str:
    """The SVG image of the graph of a table of values. Empty for other searches, if Graphviz is not installed, or if
    the style has boards, which only trees can show. Raises TooLargeError if the image is larger than the style
    allows."""
    if recording.growth != TABLE or style.boards or not can_draw():
        return ""
    image = draw_svg(export(recording, blank, style))
    size = max(image_size(image))
    if style.widest is not None and size > style.widest:
        raise TooLargeError(f"this graph would be {size:,.0f} pixels large: draw less of it")
    return image


def look(picture: Picture, each: PictureNode) -> dict[str, str]:
    """The attributes of a node."""
    if each.shape not in SHAPES:
        return {"shape": "plaintext", "label": quote(each.edge)}
    value = typeset(picture.value(each))
    if each.position:
        shape = outline(GRAPH_SHAPES[each.shape], max(len(each.position), len(value)), 2)
        return shape | {"label": f"<{markup(each.position)}<br/>{markup(value, bold=True)}>"}
    return {"shape": SHAPES[each.shape], "label": quote(value, typeset(picture.window(each)), each.note)}


def line(picture: Picture, child: PictureNode) -> dict[str, str]:
    """The attributes of the edge to a node."""
    return STUBS.get(child.shape) or {"label": quote(f" {child.edge}")} | bold(picture.is_bold(child))


def bold(is_bold: bool) -> dict[str, str]:
    """The attributes that make a node or an edge bold if it is on the principal variation; otherwise empty."""
    return {"penwidth": "3"} if is_bold else {}
