"""A game's graph in the DOT language of Graphviz, from which Graphviz makes the image too.

Whose turn it is shows in a position's shape, the best moves in the strength of the lines; colours only
add to that. Classes and ids are there for the style and the script of `graph_svg` and of the page.
"""

from collections.abc import Iterator

from gamesearch.render.dot import arrow, digraph, markup, node, quoted
from gamesearch.render.graph_picture import QUALITIES, Arrow, Picture, PictureNode
from gamesearch.solvers.graphs.positions import BEST, OUTCOME, WORSE

__all__ = ["dot_text"]

FONT = quoted("DejaVu Sans Mono")
SHAPES = {"max": "house", "min": "invhouse", "chance": "ellipse", "end": "box"}
LINES = {BEST: {"penwidth": "3"}, WORSE: {"style": "dashed", "penwidth": "0.9"}}
FILLS = {"max": "#d9f2e3", "min": "#f1dff6", "even": "#f3f4f6", "": "#f3f4f6"}
FAINT = "#8a8f99"
CHARACTER, LINE, PADDING = 0.12, 0.2, 0.16
"""Inches: the width of a character, the height of a line, and the room around a text."""
NARROWEST = "0000"
"""Each house has room for so much."""
BODY = 0.6
"""The share of a house below its roof."""
SMALL = 0.85
"""The width of a character of the legend, to that of others."""
PLAIN = {"shape": "plaintext", "style": "solid", "width": "0.1", "margin": "0.03"}
"""A text of the legend."""
MANY = 600
QUICK = {"nslimit": "2", "nslimit1": "2", "mclimit": "0.3"}
"""What keeps Graphviz from minutes over more moves than MANY: 1,356 of them took 38 seconds, and so 5."""


def dot_text(picture: Picture) -> str:
    """The graph. Starts stand side by side; the legend stands below, where nothing else does."""
    return digraph(quoted(picture.title), statements(picture))


def statements(picture: Picture) -> Iterator[str]:
    """The lines between the braces."""
    limits = QUICK if len(picture.arrows) > MANY else {}
    example = f'<br align="left"/>{markup(picture.example, colour=FAINT)}<br align="left"/>' if picture.example else ""
    title = f"<{markup(picture.title, bold=True)}{example}>"
    yield node(
        "graph", **kind("graph"), fontname=FONT, label=title, labelloc="t", labeljust="l", outputorder="edgesfirst",
        **limits,
    )  # fmt: skip
    yield node("node", fontname=FONT, fontsize="14", style="filled", margin=quoted("0.1,0.05"), width="0.4")
    yield node("edge", fontname=FONT, fontsize="11.5", arrowsize="0.8")
    for number, each in enumerate(picture.nodes):
        yield position(number, each, number < picture.starts)
    yield from map(move, picture.arrows)
    yield f"{{ rank=source; {' '.join(f'p{number};' for number in range(picture.starts))} }}"
    yield from legend(picture)


def position(number: int, each: PictureNode, is_start: bool) -> str:
    """A position: its shape, its board or notation, and its value."""
    rows = ["&#160;".join(markup(cell.text, colour=FAINT if cell.faint else "") for cell in row) for row in each.rows]
    lines = "<br/>".join([*rows, markup(each.worth, bold=True)])
    columns = max(len(line) for line in [*each.lines, each.worth, NARROWEST])
    return node(
        f"p{number}", id=f"p{number}", **kind(each.winner), **outline(each.shape, columns, len(rows) + 1),
        fillcolor=quoted(FILLS[each.winner]), penwidth="3" if is_start else "", label=f"<{lines}>",
        tooltip=quoted(each.summary),
    )  # fmt: skip


def outline(shape: str, columns: int, rows: int) -> dict[str, str]:
    """The shape around a text. Left to itself, Graphviz makes houses so wide that a text fits below the eaves."""
    found = {"shape": SHAPES[shape]}
    if shape in ("max", "min"):
        width, height = CHARACTER * columns + PADDING, (LINE * rows + PADDING) / BODY
        found |= {"fixedsize": "true", "width": f"{width:.2f}", "height": f"{height:.2f}"}
        found["labelloc"] = "b" if shape == "max" else "t"
    return found | ({"peripheries": "2"} if shape == "end" else {})


def move(each: Arrow) -> str:
    """All moves from one position to another."""
    return arrow(
        f"p{each.source}", f"p{each.target}", id=quoted(f"p{each.source}-p{each.target}"), **kind(each.quality),
        **LINES.get(each.quality, {}), label=f"<{markup(each.label, bold=each.quality == BEST)}>",
        tooltip=quoted(f"{each.label}: {QUALITIES[each.quality]}"),
    )  # fmt: skip


def legend(picture: Picture) -> Iterator[str]:
    """What the shapes and lines of this picture mean, in the lowest rank from left to right."""
    unseen = {"style": "invis"}
    entries = [(outline(shape, round(SMALL * len(text)), 1), text, unseen) for shape, text in picture.turns.items()]
    used = {each.quality for each in picture.arrows} - {OUTCOME}
    for quality in (each for each in QUALITIES if each in used):  # a line from a blank to its words
        line = kind(f"legend {quality}") | LINES.get(quality, {})
        entries += [(PLAIN, "", line), (PLAIN, QUALITIES[quality], unseen)]
    yield "{ rank=sink; " + node("node", **kind("legend"), fontsize="11", margin="0.05", fillcolor=quoted(FILLS[""]))
    for number, (shape, text, _) in enumerate(entries):
        yield "  " + node(f"l{number}", **shape, label=quoted(text))
    for number, (_, _, line) in enumerate(entries[:-1]):
        yield "  " + arrow(f"l{number}", f"l{number + 1}", **line)
    yield "}"


def kind(name: str) -> dict[str, str]:
    """The class that a thing has in an SVG image."""
    return {"class": quoted(name)}
