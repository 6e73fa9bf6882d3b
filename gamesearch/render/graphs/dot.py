"""The graph of a game in the DOT language of Graphviz, and the SVG image that Graphviz draws from it.

The shape of a position shows whose turn it is, and the best moves have thick lines, so the graph can be read without
colors. Nodes and edges have CSS classes and ids, which the style of the image and the script of the page use. The image
follows the light or dark color scheme of the reader's system.
"""

from collections.abc import Iterator

from gamesearch.render.formats.dot import arrow, digraph, draw_svg, markup, node, outline, quick_layout, quote
from gamesearch.render.graphs.picture import QUALITIES, Arrow, Picture, PictureNode
from gamesearch.solvers.graphs.positions import BEST, OUTCOME, WORSE

__all__ = ["dot_text", "svg_image"]

FONT = quote("DejaVu Sans Mono")
LINES = {BEST: {"penwidth": "3"}, WORSE: {"style": "dashed", "penwidth": "0.9"}}
FILLS = {"max": "#d9f2e3", "min": "#f1dff6", "even": "#f3f4f6", "": "#f3f4f6"}
FAINT = "#8a8f99"
NARROWEST = "0000"
"""Each house (the shape of a position) is at least as wide as this text."""
SMALL = 0.85
"""The width of a character of the legend, relative to other characters."""
PLAIN = {"shape": "plaintext", "style": "solid", "width": "0.1", "margin": "0.03"}
"""The attributes of a text in the legend."""


def dot_text(picture: Picture) -> str:
    """The graph in the DOT language. Start positions are next to each other, and the legend is below the graph."""
    return digraph(quote(picture.title), statements(picture))


def statements(picture: Picture) -> Iterator[str]:
    """The statements of the graph, between the braces."""
    limits = quick_layout(len(picture.arrows))
    example = f'<br align="left"/>{markup(picture.example, color=FAINT)}<br align="left"/>' if picture.example else ""
    title = f"<{markup(picture.title, bold=True)}{example}>"
    yield node(
        "graph", **kind("graph"), fontname=FONT, label=title, labelloc="t", labeljust="l", outputorder="edgesfirst",
        **limits,
    )  # fmt: skip
    yield node("node", fontname=FONT, fontsize="14", style="filled", margin=quote("0.1,0.05"), width="0.4")
    yield node("edge", fontname=FONT, fontsize="11.5", arrowsize="0.8")
    for number, each in enumerate(picture.nodes):
        yield position(number, each, number < picture.starts)
    yield from map(move, picture.arrows)
    yield f"{{ rank=source; {' '.join(f'p{number};' for number in range(picture.starts))} }}"
    yield from legend(picture)


def position(number: int, each: PictureNode, is_start: bool) -> str:
    """A position: its shape, its board or notation, and its value."""
    rows = ["&#160;".join(markup(cell.text, color=FAINT if cell.faint else "") for cell in row) for row in each.rows]
    lines = "<br/>".join([*rows, markup(each.worth, bold=True)])
    columns = max(len(line) for line in [*each.lines, each.worth, NARROWEST])
    return node(
        f"p{number}", id=f"p{number}", **kind(each.winner), **outline(each.shape, columns, len(rows) + 1),
        fillcolor=quote(FILLS[each.winner]), penwidth="3" if is_start else "", label=f"<{lines}>",
        tooltip=quote(each.summary),
    )  # fmt: skip


def move(each: Arrow) -> str:
    """The edge for all moves from one position to another."""
    return arrow(
        f"p{each.source}", f"p{each.target}", id=quote(f"p{each.source}-p{each.target}"), **kind(each.quality),
        **LINES.get(each.quality, {}), label=f"<{markup(each.label, bold=each.quality == BEST)}>",
        tooltip=quote(f"{each.label}: {QUALITIES[each.quality]}"),
    )  # fmt: skip


def legend(picture: Picture) -> Iterator[str]:
    """A legend of the shapes and lines, placed in the bottom row of the picture."""
    unseen = {"style": "invis"}
    entries = [(outline(shape, round(SMALL * len(text)), 1), text, unseen) for shape, text in picture.turns.items()]
    used = {each.quality for each in picture.arrows} - {OUTCOME}
    # Each kind of line is explained by a line from an empty node to a text.
    for quality in (each for each in QUALITIES if each in used):
        line = kind(f"legend {quality}") | LINES.get(quality, {})
        entries += [(PLAIN, "", line), (PLAIN, QUALITIES[quality], unseen)]
    yield "{ rank=sink; " + node("node", **kind("legend"), fontsize="11", margin="0.05", fillcolor=quote(FILLS[""]))
    for number, (shape, text, _) in enumerate(entries):
        yield "  " + node(f"l{number}", **shape, label=quote(text))
    for number, (_, _, line) in enumerate(entries[:-1]):
        yield "  " + arrow(f"l{number}", f"l{number + 1}", **line)
    yield "}"


def kind(name: str) -> dict[str, str]:
    """The attribute that sets the CSS class in an SVG image."""
    return {"class": quote(name)}


STYLE = f"""\
svg:root {{ color-scheme: light dark }}
.graph text {{ font-family: "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace }}
.graph text {{ fill: light-dark(#1b1d21, #e9eaec) }}
.graph text[fill="{FAINT}"] {{ fill: light-dark({FAINT}, #8f96a3) }}
.graph > polygon {{ fill: light-dark(#ffffff, #16181c) }}
.node :is(polygon, ellipse) {{ fill: light-dark({FILLS[""]}, #22252b); stroke: light-dark(#1b1d21, #e9eaec) }}
.node.max polygon {{ fill: light-dark({FILLS["max"]}, #123a25) }}
.node.min polygon {{ fill: light-dark({FILLS["min"]}, #40204b) }}
.node.node polygon ~ polygon {{ fill: none }}
.edge :is(path, polygon) {{ stroke: light-dark(#1b1d21, #e9eaec) }}
.edge polygon {{ fill: light-dark(#1b1d21, #e9eaec) }}
.edge text {{ paint-order: stroke; stroke: light-dark(#ffffff, #16181c); stroke-width: 3px }}
"""
"""Colors for both schemes. Programs that do not support light-dark() use the light colors of Graphviz."""


def svg_image(picture: Picture) -> str:
    """The picture as an SVG image; raises GamesearchError if Graphviz is not installed."""
    return draw_svg(dot_text(picture)).replace(">", f">\n<style>\n{STYLE}</style>", 1)
