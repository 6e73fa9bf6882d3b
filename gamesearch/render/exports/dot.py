"""Write a searched tree in Graphviz's language DOT. A table of values becomes a graph. Boards are written as text."""

from collections.abc import Iterator
from dataclasses import replace

from gamesearch.render.boards.board import board_lines
from gamesearch.render.formats.dot import arrow, digraph, markup, node, outline, quick_layout, quote, table
from gamesearch.render.trees.picture import PLAIN, SIDES, Picture, PictureNode, Style, picture_of
from gamesearch.trace.events import TABLE
from gamesearch.trace.recording import Recording

__all__ = ["dot_text", "export"]

SHAPES = {"max": "triangle", "min": "invtriangle", "chance": "circle", "leaf": "box", "player": "box"}
GRAPH_SHAPES = SHAPES | {"max": "max", "min": "min", "chance": "chance", "leaf": "end"}
"""The shapes of the nodes in a graph of positions, as in `gamesearch graph`."""
STUBS = {"cut": {"style": "dashed", "arrowhead": "tee", "label": quote("cut")}, "hidden": {"style": "dotted"}}
"""The attributes of edges to nodes that are not drawn."""
GRAY = {"color": "gray60", "fontcolor": "gray60"}
"""The attributes of pruned nodes."""
PRUNED = GRAY | {"style": "dashed"}
"""The attributes of edges to pruned nodes. The first edge of a pruned branch also ends in a bar."""
PRUNED_LEGEND = "dashed: pruned, with its true value"


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree in the DOT language, for example for `dot -Tpdf`."""
    return dot_text(picture_of(recording, blank, replace(style, joins=recording.growth == TABLE)), style.boards)


def dot_text(picture: Picture, writes_boards: bool = False) -> str:
    """A picture in the DOT language. If `writes_boards` is true, boards are written as text; otherwise boards are empty
    boxes of the same size."""
    return digraph("search", statements(picture, writes_boards))


def statements(picture: Picture, writes_boards: bool) -> Iterator[str]:
    """The statements of the tree or graph, between the braces."""
    is_graph = picture.is_graph
    order, margin, head = ("", "0.1,0.05", "normal") if is_graph else ("out", "0.05", "none")
    best = {each.same or each.name for each in picture.nodes() if picture.is_bold(each)}
    has_pruned = any(each.is_pruned for each in picture.nodes())
    title = quote(*picture.headings, PRUNED_LEGEND if has_pruned and picture.has_headings else "")
    limits = quick_layout(sum(1 for _ in picture.edges())) if is_graph else {}
    yield node("graph", ordering=order, labelloc="t", fontname="Helvetica", label=title, **limits)
    yield node("node", fontname="Helvetica", fontsize="11", margin=quote(margin), height="0.3", width="0.3")
    yield node("edge", fontname="Helvetica", fontsize="11", arrowhead=head, arrowsize="0.7")
    for each in picture.nodes():
        if not each.same:
            name = {"id": quote(each.name)} if is_graph else {}
            yield node(each.name, **name, **look(picture, each, each.name in best, writes_boards))
    for each, child in picture.edges():
        name = {"id": quote(f"to_{child.name}")} if is_graph else {}
        yield arrow(each.name, child.same or child.name, **name, **line(picture, each, child))


def look(picture: Picture, each: PictureNode, is_best: bool, writes_boards: bool) -> dict[str, str]:
    """The attributes that DOT needs to draw a node."""
    if each.shape not in SHAPES:
        return {"shape": "plaintext", "label": quote(each.edge)}
    value, window = picture.value(each), picture.window(each)
    color = GRAY if each.is_pruned else {}
    if each.board is not None:
        board = board_lines(each.board) if writes_boards else []
        texts = [markup(SIDES.get(each.shape, "")), markup(value, bold=True), *map(markup, (window, each.note))]
        label = table(texts[0], board, texts[1:], size=each.size, border=3 if is_best and writes_boards else 1)
        return color | {"shape": "plain", "label": f"<{label}>"}
    if picture.is_graph:
        texts = [each.position, value, window]
        shape = outline(GRAPH_SHAPES[each.shape], max(map(len, texts)), sum(map(bool, texts)))
        lines = (markup(each.position), markup(value, bold=True), markup(window))
        return shape | {"label": f"<{'<br/>'.join(filter(None, lines))}>"} | bold(is_best)
    return {"shape": SHAPES[each.shape], "label": quote(value, window, each.note)} | color | bold(is_best)


def line(picture: Picture, above: PictureNode, child: PictureNode) -> dict[str, str]:
    """The attributes of the edge to a node."""
    if child.is_pruned:
        return PRUNED | {"label": quote(f" {child.edge}"), "arrowhead": "" if above.is_pruned else "tee"}
    return STUBS.get(child.shape) or {"label": quote(f" {child.edge}")} | bold(picture.is_bold(child))


def bold(is_bold: bool) -> dict[str, str]:
    """The attributes of a bold node or edge, which is on the principal variation; empty if `is_bold` is false."""
    return {"penwidth": "3"} if is_bold else {}
