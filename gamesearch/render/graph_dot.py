"""A game's graph in the DOT language of Graphviz: `dot -Tsvg graph.dot > graph.svg`."""

from gamesearch.render.graph_layout import layers_of
from gamesearch.render.graph_picture import Arrow, Picture
from gamesearch.solvers.positions import BEST, WORSE

__all__ = ["dot_text", "quoted"]

SHAPES = {"max": "house", "min": "invhouse", "chance": "ellipse", "end": "box peripheries=2"}
STYLES = {BEST: " penwidth=3", WORSE: " style=dashed penwidth=0.8"}
FILLS = {"max": "#d9f2e3", "min": "#f1dff6", "even": "#f3f4f6", "": "#f3f4f6"}


def dot_text(picture: Picture) -> str:
    """The graph, with a rank for each layer."""
    edges = [(arrow.source, arrow.target) for arrow in picture.arrows if arrow.source != arrow.target]
    ranks = [" ".join(f"p{number};" for number in layer) for layer in layers_of(len(picture.nodes), edges)]
    lines = [
        "digraph game {",
        f"  label={quoted(picture.title)} labelloc=t fontname=monospace",
        "  node [fontname=monospace style=filled]",
        "  edge [fontname=monospace fontsize=11]",
        *(f"  p{number} [{node_attributes(picture, number)}]" for number in range(len(picture.nodes))),
        *(f"  p{arrow.source} -> p{arrow.target} [{arrow_attributes(arrow)}]" for arrow in picture.arrows),
        *(f"  {{ rank=same; {rank} }}" for rank in ranks),
        "}",
    ]
    return "\n".join(lines) + "\n"


def node_attributes(picture: Picture, number: int) -> str:
    """How a position is drawn."""
    node = picture.nodes[number]
    texts = f"label={quoted(*node.lines, node.worth)} tooltip={quoted(node.summary)}"
    bold = " penwidth=3" if number < picture.starts else ""
    return f'shape={SHAPES[node.shape]} {texts} fillcolor="{FILLS[node.winner]}"{bold}'


def arrow_attributes(arrow: Arrow) -> str:
    """How a move is drawn."""
    return f"label={quoted(arrow.label)}{STYLES.get(arrow.quality, '')}"


def quoted(*lines: str) -> str:
    """Lines below each other, as DOT writes a string; empty ones are left out."""
    return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines if line) + '"'
